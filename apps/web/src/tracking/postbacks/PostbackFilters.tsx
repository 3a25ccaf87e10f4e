import {
  type PostbackOutcomeFilter,
  postbackOutcomeFilters,
} from '@tallyroom/contract/list-choices'
import { POSTBACK_EVENTS } from '@tallyroom/domain/event-types'
import { HOLD_KINDS } from '@tallyroom/domain/holds'
import { holdWords } from '../../shared/held/hold-words.ts'
import { SiteSelect } from '../../shared/pickers/SiteSelect.tsx'
import { DateRangePicker } from '../../ui/dates/DateRangePicker.tsx'
import { ChoiceFilter } from '../../ui/filters/ChoiceFilter.tsx'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { TextFilter } from '../../ui/filters/TextFilter.tsx'
import { outcomeLooks } from '../../shared/outcome-looks.ts'
import type { PostbacksCriteria } from './postbacks-search.ts'
import { type Filtering, useFilters } from '../../ui/filters/use-filters.ts'

export function PostbackFilters(filtering: Filtering<PostbacksCriteria>) {
  const { draft, change, field, row } = useFilters(filtering)
  return (
    <CriteriaRow {...row}>
      <SiteSelect withSuspended {...field('siteId')} />
      <ChoiceFilter
        label="Outcome"
        width={176}
        all="All outcomes"
        options={postbackOutcomeFilters.map((value) => ({ value, label: labelOf(value) }))}
        {...field('outcome')}
      />
      <ChoiceFilter
        label="Held for"
        all="Anything"
        width={190}
        options={HOLD_KINDS.map((value) => ({ value, label: holdWords[value].label }))}
        {...field('holdKind')}
      />
      <ChoiceFilter
        label="Event"
        all="All events"
        width={130}
        options={POSTBACK_EVENTS}
        {...field('event')}
      />
      <TextFilter label="Click id" width={140} maxLength={64} {...field('clickId')} />
      <TextFilter label="Transaction id" width={140} maxLength={128} {...field('transactionId')} />
      <DateRangePicker label="Received" optional width={206} value={draft} onChange={change} />
    </CriteriaRow>
  )
}

const labelOf = (outcome: PostbackOutcomeFilter) =>
  outcome === 'recorded-at-zero' ? 'Recorded at zero' : outcomeLooks[outcome].label
