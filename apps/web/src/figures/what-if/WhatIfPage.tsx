import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useExchangeRate } from '../../shared/MarginMark.tsx'
import { officeOptionsQuery } from '../../shared/pickers/OfficeSelect.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportMenu } from '../../ui/export/ExportMenu.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { useDraft } from '../../ui/filters/use-draft.ts'
import { Outcome } from './Outcome.tsx'
import { type Asked, recordedIn, useWhatIf } from './use-what-if.ts'
import { saveWhatIf } from './what-if.api.ts'
import { columnsOf, totalsOf } from './what-if-columns.tsx'
import { type WhatIfDraft, WhatIfForm } from './WhatIfForm.tsx'

/** What past sales would have been paid at other rates or tiers, beside what was paid. */
export function WhatIfPage() {
  const asked = useWhatIf()
  const offices = useQuery(officeOptionsQuery())
  const exchange = useExchangeRate()
  const { applied, groupBy, list, body, query, answer, hasTiers } = asked
  const [draft, change] = useDraft<WhatIfDraft>(applied)
  const [wasShown, setShown] = useState(false)
  const recorded = recordedIn(asked)
  // For several offices there is no explanation that sums them.
  const recordedOverall = (applied.companyIds?.length ?? 0) > 1 ? undefined : recorded
  if (!wasShown) {
    // Rendering the list earlier would shift the layout when the rates, marks and tiers above it arrive.
    if (asked.isPending || exchange.isLoading || offices.isPending) return null
    // From then on the page stays: its fields ask again for what failed, and would go and come forever.
    setShown(true)
  }
  return (
    <ListFrame
      name="What if"
      query={body ? query : { ...NOTHING_ASKED, ...failureOf(asked) }}
      list={list}
      columns={columnsOf(groupBy === 'agent', hasTiers, recorded)}
      rowKey={({ companyId: office, agentId = 0 }) => `${office} ${agentId}`}
      criteria={
        <WhatIfForm
          draft={draft}
          change={change}
          applied={applied}
          busy={query.isFetching}
          onSearch={({ start: first, end: until, ...others }) =>
            list.search({ ...others, groupBy, start: first ?? undefined, end: until ?? undefined })
          }
          onClear={list.clear}
        />
      }
      summary={
        <Outcome
          asked={asked}
          offices={offices.data ?? []}
          isChanged={JSON.stringify(draft) !== JSON.stringify(applied)}
        />
      }
      actions={
        <ExportMenu
          disabled={!answer?.total}
          save={async (format, options) => {
            if (body) await saveWhatIf(body, format, options)
          }}
        />
      }
      empty={
        <EmptyList
          text={body ? 'No sales in these days' : 'Enter another rate'}
          about="Choose sites, enter what their link types would pay, and see what these days would have cost."
        />
      }
      totals={answer && answer.total > 0 ? [totalsOf(answer, recordedOverall)] : []}
    />
  )
}

/** Shown before anything was asked. */
const NOTHING_ASKED = {
  data: { items: [], total: 0 },
  isPlaceholderData: false,
}

/** Without the tiers, other tiers can't be compared. Elsewhere, the form says that they are missing. */
const failureOf = ({ applied, tiersNow: { error, refetch } }: Asked) => ({
  error: applied.tiers === undefined ? null : error,
  refetch,
})
