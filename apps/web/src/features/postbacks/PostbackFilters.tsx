import { postbackOutcomes } from '@tallyroom/contract/list-choices'
import { Select, TextInput } from '@mantine/core'
import { POSTBACK_EVENTS } from '@tallyroom/domain/event-types'
import { SiteSelect } from '../../pickers/SiteSelect.tsx'
import { DateRangePicker } from '../../ui/dates/DateRangePicker.tsx'
import { isValidRange, type MaybeRange } from '@tallyroom/domain/periods'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { useDraft } from '../../ui/list/use-draft.ts'
import { outcomeLooks } from './outcomes.ts'
import type { PostbacksCriteria } from './postbacks-search.ts'

interface PostbackFiltersProps {
  applied: PostbacksCriteria
  onSearch: (criteria: PostbacksCriteria) => void
  onClear: () => void
}

type Draft = Omit<PostbacksCriteria, 'start' | 'end'> & MaybeRange

export function PostbackFilters({ applied, onSearch, onClear }: PostbackFiltersProps) {
  const [draft, change] = useDraft<Draft>(applied)
  const { start, end, ...others } = draft
  const range = { start, end }
  return (
    <CriteriaRow
      onSearch={() => {
        if (isValidRange(range)) onSearch(tidy({ ...others, ...range }))
        else if (!start && !end) onSearch(tidy(others))
      }}
      onClear={() => {
        change(NOTHING)
        onClear()
      }}
    >
      <SiteSelect withSuspended value={draft.siteId} onChange={(siteId) => change({ siteId })} />
      <Select
        label="Outcome"
        placeholder="All outcomes"
        w={140}
        maw="100%"
        clearable
        clearButtonProps={{ 'aria-label': 'Clear Outcome' }}
        data={postbackOutcomes.map((value) => ({ value, label: outcomeLooks[value].label }))}
        value={draft.outcome ?? null}
        onChange={(outcome) => change({ outcome: outcome ?? undefined })}
      />
      <Select
        label="Event"
        placeholder="All events"
        w={130}
        maw="100%"
        clearable
        clearButtonProps={{ 'aria-label': 'Clear Event' }}
        data={[...POSTBACK_EVENTS]}
        value={draft.event ?? null}
        onChange={(event) => change({ event: event ?? undefined })}
      />
      <TextInput
        label="Click id"
        w={140}
        maw="100%"
        maxLength={64}
        value={draft.clickId ?? ''}
        onChange={({ currentTarget }) => change({ clickId: currentTarget.value })}
      />
      <TextInput
        label="Transaction id"
        w={140}
        maw="100%"
        maxLength={128}
        value={draft.transactionId ?? ''}
        onChange={({ currentTarget }) => change({ transactionId: currentTarget.value })}
      />
      <DateRangePicker
        label="Received"
        optional
        width={206}
        value={range}
        onChange={(days) => change({ start: days.start, end: days.end })}
      />
    </CriteriaRow>
  )
}

const NOTHING: Draft = {
  siteId: undefined,
  outcome: undefined,
  event: undefined,
  clickId: undefined,
  transactionId: undefined,
  start: undefined,
  end: undefined,
}

/** Ids are often pasted with a space at their end. */
const tidy = ({ clickId, transactionId, ...others }: PostbacksCriteria): PostbacksCriteria => ({
  ...others,
  clickId: clickId?.trim() || undefined,
  transactionId: transactionId?.trim() || undefined,
})
