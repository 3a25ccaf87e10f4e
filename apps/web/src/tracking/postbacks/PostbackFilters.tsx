import {
  type PostbackOutcomeFilter,
  postbackOutcomeFilters,
} from '@tallyroom/contract/list-choices'
import { POSTBACK_EVENTS } from '@tallyroom/domain/event-types'
import { HOLD_KINDS } from '@tallyroom/domain/holds'
import type { MaybeRange } from '@tallyroom/domain/periods'
import { criteriaOfDraft } from '../../shared/log-criteria.ts'
import { holdWords } from '../../shared/held/hold-words.ts'
import { SiteSelect } from '../../shared/SiteSelect.tsx'
import { DateRangePicker } from '../../ui/dates/DateRangePicker.tsx'
import { ChoiceFilter } from '../../ui/list/ChoiceFilter.tsx'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { TextFilter } from '../../ui/list/TextFilter.tsx'
import { type Filtering, useDraft } from '../../ui/list/use-draft.ts'
import { outcomeLooks } from '../../shared/outcome-looks.ts'
import type { PostbacksCriteria } from './postbacks-search.ts'

type Draft = Omit<PostbacksCriteria, 'start' | 'end'> & MaybeRange

export function PostbackFilters({ applied, onSearch, onClear }: Filtering<PostbacksCriteria>) {
  const [draft, change, clear] = useDraft<Draft>(applied, onClear)
  return (
    <CriteriaRow
      onSearch={() => {
        const criteria = criteriaOfDraft(draft)
        if (criteria) onSearch(tidy(criteria))
      }}
      onClear={clear}
    >
      <SiteSelect withSuspended value={draft.siteId} onChange={(siteId) => change({ siteId })} />
      <ChoiceFilter
        label="Outcome"
        width={176}
        all="All outcomes"
        options={postbackOutcomeFilters.map((value) => ({ value, label: labelOf(value) }))}
        value={draft.outcome}
        onChange={(outcome) => change({ outcome })}
      />
      <ChoiceFilter
        label="Held for"
        all="Anything"
        width={190}
        options={HOLD_KINDS.map((value) => ({ value, label: holdWords[value].label }))}
        value={draft.holdKind}
        onChange={(holdKind) => change({ holdKind })}
      />
      <ChoiceFilter
        label="Event"
        all="All events"
        width={130}
        options={POSTBACK_EVENTS}
        value={draft.event}
        onChange={(event) => change({ event })}
      />
      <TextFilter
        label="Click id"
        width={140}
        maxLength={64}
        value={draft.clickId}
        onChange={(clickId) => change({ clickId })}
      />
      <TextFilter
        label="Transaction id"
        width={140}
        maxLength={128}
        value={draft.transactionId}
        onChange={(transactionId) => change({ transactionId })}
      />
      <DateRangePicker
        label="Received"
        optional
        width={206}
        value={{ start: draft.start, end: draft.end }}
        onChange={({ start, end }) => change({ start, end })}
      />
    </CriteriaRow>
  )
}

const labelOf = (outcome: PostbackOutcomeFilter) =>
  outcome === 'recorded-at-zero' ? 'Recorded at zero' : outcomeLooks[outcome].label

/** Pasted ids often end with a space. */
const tidy = ({ clickId, transactionId, ...others }: PostbacksCriteria): PostbacksCriteria => ({
  ...others,
  clickId: clickId?.trim() || undefined,
  transactionId: transactionId?.trim() || undefined,
})
