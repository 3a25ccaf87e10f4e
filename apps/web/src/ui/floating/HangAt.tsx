import { useImperativeHandle, type Ref } from 'react'

interface HangAtProps {
  target: HTMLElement
  /** The library's. */
  ref?: Ref<HTMLElement>
}

/** Stands for an element that is drawn elsewhere, where the library wants its target as a child. */
export function HangAt({ target, ref }: HangAtProps) {
  useImperativeHandle(ref, () => target, [target])
  return null
}
