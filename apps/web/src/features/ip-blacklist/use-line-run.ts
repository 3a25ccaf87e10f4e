import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { inLineOrder, type LineResult } from './lines.ts'
import type { WorkThrough } from './work-through.ts'

/** A list of lines that is, or was, worked through. */
export interface LineRun {
  total: number
  results: readonly LineResult[]
}

/**
 * Works through lists of lines, one after the other; leaving the page stops it.
 * @param onEnd told when it has come to its end, was stopped or failed
 */
export function useLineRun(
  work: WorkThrough,
  onEnd: (lines: readonly string[], results: readonly LineResult[]) => void,
) {
  const [run, setRun] = useState<LineRun>()
  const stopper = useRef(new AbortController())
  const isUnderWay = useRef(false)
  useEffect(() => () => stopper.current.abort(), [])

  const mutation = useMutation({
    mutationFn: async (lines: readonly string[]) => {
      const results: LineResult[] = []
      isUnderWay.current = true
      const { signal } = (stopper.current = new AbortController())
      const show = () => setRun({ total: lines.length, results: [...results] })
      show()
      const drawing = setInterval(show, DRAW_MS)
      try {
        await work(lines, { signal, report: (more) => results.push(...more) })
      } finally {
        clearInterval(drawing)
        isUnderWay.current = false
        const inOrder = inLineOrder(results, lines)
        setRun({ total: lines.length, results: inOrder })
        onEnd(lines, inOrder)
      }
    },
  })
  return {
    run,
    isRunning: mutation.isPending,
    /** The same at this moment: already false when `onEnd` is told. */
    isRunningNow: () => isUnderWay.current,
    start: (lines: readonly string[]) => mutation.mutate(lines),
    /** Lets what is under way come to its end. */
    stop: () => stopper.current.abort(),
  }
}

const DRAW_MS = 150
