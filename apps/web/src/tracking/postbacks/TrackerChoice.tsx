import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { findTracker, type Tracker, TRACKERS } from '@tallyroom/domain/trackers'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Select } from '../../ui/Select.tsx'
import { toast } from '../../ui/toasts.tsx'
import classes from './integration.module.css'
import { chooseTracker, refreshReadings, siteQuery } from './postbacks.api.ts'
import { Readings } from './Readings.tsx'

/** Chooses the software that sends a site's postbacks, and shows how the last ones are read with it. */
export function TrackerChoice({ siteId }: { siteId: number }) {
  const client = useQueryClient()
  const { data: site } = useQuery(siteQuery(siteId))
  const [tried, setTried] = useState<string>()
  const choose = useMutation({
    mutationFn: (tracker: Tracker) => chooseTracker(siteId, tracker),
    onSuccess: async (_, { name }) => {
      await refreshReadings(client)
      setTried(undefined)
      toast({
        kind: 'success',
        heading: 'Success',
        body: `Postbacks are read as ${name} sends them.`,
      })
    },
  })
  if (!site) return <Skeleton height={120} role="status" aria-label="Loading" />
  const shown = tried ?? site.tracker
  const tracker = findTracker(shown)
  const isNew = tracker !== undefined && tracker.id !== site.tracker

  return (
    <Stack gap="sm" component="section" aria-label="How postbacks are read">
      <div>
        <h2 className={classes.heading}>How postbacks are read</h2>
        <div className={classes.label}>
          Choose the merchant’s tracker. We try its settings on the last ten postbacks.
        </div>
      </div>
      <Group align="flex-end" gap="xs">
        <Select
          label="Tracker"
          placeholder="The merchant’s own program"
          data={TRACKERS.map(({ id, name }) => ({ value: id, label: name }))}
          value={shown === '' ? null : shown}
          onChange={(id) => id !== null && setTried(id)}
          searchable
          flex={1}
        />
        {isNew && (
          <Button loading={choose.isPending} onClick={() => choose.mutate(tracker)}>
            Use {tracker.name}
          </Button>
        )}
      </Group>
      {isNew && (
        <div className={classes.label}>
          {wordsIn(tracker)}. Words that the site already has keep their meaning.
          {tracker.note === '' ? '' : ` ${tracker.note}`}
        </div>
      )}
      <Readings siteId={siteId} tracker={isNew ? tracker.id : undefined} />
    </Stack>
  )
}

/** `Adds 2 event names and 5 status words`. */
function wordsIn({ eventWords, statusWords }: Tracker): string {
  const parts = [
    eventWords.length > 0 && `${eventWords.length} event name${eventWords.length === 1 ? '' : 's'}`,
    statusWords.length > 0 &&
      `${statusWords.length} status word${statusWords.length === 1 ? '' : 's'}`,
  ].filter(Boolean)
  return parts.length === 0 ? 'Reads its parameter names' : `Adds ${parts.join(' and ')}`
}
