import { Button } from '@mantine/core'
import type { PostbackItem } from '@tallyroom/contract/tracking/postbacks'
import { can } from '@tallyroom/domain/abilities'
import { formatCount } from '@tallyroom/domain/money'
import { daysInWords } from '@tallyroom/domain/periods'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNow } from '../../lib/clock.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { useMe } from '../../lib/session.ts'
import { actWords } from '../../shared/held/hold-words.ts'
import { followUp, refreshQueue, undoDecision } from './decisions.api.ts'
import classes from './DecisionsPage.module.css'
import { nameOf } from './name-of.ts'

/** What was decided and is not done yet, each with the seconds in which it can be undone. */
export function JustDecided({ items }: { items: readonly PostbackItem[] }) {
  const decided = items.filter(({ hold }) => hold?.decided)
  const client = useQueryClient()
  const had = useRef(false)
  const has = decided.length > 0
  useEffect(() => {
    // What could not be done waits again.
    if (had.current && !has) void refreshQueue(client)
    had.current = has
  }, [has, client])
  return (
    has && (
      <ul className={classes.later} aria-label="Just decided">
        {decided.map((item) => (
          <li key={item.id}>
            <OneDecided item={item} />
          </li>
        ))}
      </ul>
    )
  )
}

function OneDecided({ item }: { item: PostbackItem }) {
  const me = useMe()
  const client = useQueryClient()
  const undoing = useOneMutation({
    mutationFn: async () => {
      try {
        await undoDecision(item.id)
      } finally {
        await refreshQueue(client)
      }
    },
  })
  const decided = item.hold?.decided
  const seconds = Math.ceil((Date.parse(decided?.undoUntil ?? '') - useNow()) / 1000)
  const isOver = seconds <= 0
  useEffect(() => {
    if (isOver) void refreshQueue(client)
  }, [isOver, client])
  if (!decided) return null
  const by = decided.by === me.username ? '' : ` by ${decided.by}`
  return (
    <>
      <span>
        <strong>{actWords[decided.act].label}</strong>
        {by}: {nameOf(item)}. {isOver ? 'It is being done.' : `It is done in ${seconds} s.`}
      </span>
      {/* This computer's clock may be fast: the server knows whether it is too late. */}
      {can(me, 'postbacks.settle') && (
        <Button
          variant="default"
          size="compact-sm"
          loading={undoing.isPending}
          onClick={() => undoing.mutate()}
        >
          Undo
        </Button>
      )}
    </>
  )
}

/** What is asked again on a later day: the first of all. */
export function PutOff({ items, total }: { items: readonly PostbackItem[]; total: number }) {
  const isDecider = can(useMe(), 'postbacks.manage')
  const client = useQueryClient()
  const asking = useOneMutation({
    mutationFn: (id: string) => followUp(id, { putOffUntil: null }),
    onSuccess: () => refreshQueue(client),
  })
  const off = items.flatMap((item) => {
    const day = item.hold?.putOffUntil
    return day === undefined ? [] : [{ item, day }]
  })
  return (
    off.length > 0 && (
      <details>
        <summary>
          {total === 1 ? '1 decision is put off' : `${formatCount(total)} decisions are put off`}
        </summary>
        <ul className={classes.later} aria-label="Put off">
          {off.map(({ item, day }) => (
            <li key={item.id}>
              <span>
                {nameOf(item)}: asked again on {daysInWords({ start: day, end: day })}
                {item.hold?.assignedTo && `, assigned to ${item.hold.assignedTo.username}`}
              </span>
              {isDecider && (
                <Button
                  variant="default"
                  size="compact-sm"
                  disabled={asking.isPending}
                  onClick={() => asking.mutate(item.id)}
                >
                  Ask now
                </Button>
              )}
            </li>
          ))}
        </ul>
      </details>
    )
  )
}
