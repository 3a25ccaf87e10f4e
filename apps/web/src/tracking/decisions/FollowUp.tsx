import { Group } from '@mantine/core'
import type { PostbackItem } from '@tallyroom/contract/tracking/postbacks'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { daysInWords } from '@tallyroom/domain/periods'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useToday } from '../../lib/clock.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { useMe } from '../../lib/session.ts'
import { Select } from '../../ui/Select.tsx'
import { toast } from '../../ui/toasts.tsx'
import { decidersQuery, followUp, refreshQueue } from './decisions.api.ts'

/** Who is to decide about a postback, and until when the question is put off. Those who may not decide see who is to. */
export function FollowUp({ item, mayDecide }: { item: PostbackItem; mayDecide: boolean }) {
  const { username } = useMe()
  const today = useToday()
  const client = useQueryClient()
  const people = useQuery({ ...decidersQuery, enabled: mayDecide })
  const saving = useOneMutation({
    mutationFn: (change: Parameters<typeof followUp>[1]) => followUp(item.id, change),
    onSuccess: async (_done, { putOffUntil }) => {
      await refreshQueue(client)
      if (putOffUntil)
        toast({
          kind: 'success',
          heading: 'Put off',
          body: `It is asked again on ${dayText(putOffUntil)}.`,
        })
    },
  })
  // Others that wait with the same word stay in the queue.
  const isOfWord = item.hold?.word !== undefined
  const assigned = item.hold?.assignedTo
  const whose = assigned?.username === username ? 'you' : assigned?.username
  if (!mayDecide) return assigned ? <p>Assigned to {whose}</p> : null
  return (
    <Group gap="sm">
      <Select
        size="xs"
        label={isOfWord ? 'This report is assigned to' : 'Assigned to'}
        placeholder="Nobody"
        clearable
        w={200}
        disabled={saving.isPending}
        data={(people.data ?? (assigned ? [assigned] : [])).map((one) => ({
          value: String(one.id),
          label: one.username === username ? `${one.username} (you)` : one.username,
        }))}
        value={assigned ? String(assigned.id) : null}
        onChange={(id) => saving.mutate({ assignedTo: id === null ? null : Number(id) })}
      />
      <Select
        size="xs"
        label={isOfWord ? 'Ask about this report' : 'Ask again'}
        placeholder="Now"
        w={200}
        disabled={saving.isPending}
        data={choicesFrom(today)}
        value={null}
        onChange={(day) => day !== null && saving.mutate({ putOffUntil: day })}
      />
    </Group>
  )
}

const choicesFrom = (today: Day) =>
  [1, 2, 3, 7, 14, 30].map((days) => {
    const value = addDays(today, days)
    const when = days === 1 ? 'Tomorrow' : `In ${days} days`
    return { value, label: `${when}, ${dayText(value)}` }
  })

const dayText = (day: Day): string => daysInWords({ start: day, end: day })
