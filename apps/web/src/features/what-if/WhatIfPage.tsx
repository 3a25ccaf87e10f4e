import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useExchangeRate } from '../../pickers/MarginMark.tsx'
import { officeOptionsQuery } from '../../pickers/OfficeSelect.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportMenu } from '../../ui/list/ExportMenu.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { Outcome } from './Outcome.tsx'
import { recordedIn, useWhatIf } from './use-what-if.ts'
import { saveWhatIf } from './what-if.api.ts'
import { columnsOf, totalsOf } from './what-if-columns.tsx'
import { WhatIfForm } from './WhatIfForm.tsx'

/** What past sales would have been paid at other rates or tiers, beside what was paid. */
export function WhatIfPage() {
  const asked = useWhatIf()
  const offices = useQuery(officeOptionsQuery())
  const exchange = useExchangeRate()
  const { applied, list, tiersNow, body, query, answer, hasTiers } = asked
  const recorded = recordedIn(asked)
  // For several offices there is no explanation that sums them.
  const recordedOverall = (applied.companyIds?.length ?? 0) > 1 ? undefined : recorded
  const isReady = !(asked.isPending || exchange.isLoading || offices.isPending)
  const [wasReady, setWasReady] = useState(false)
  if (isReady && !wasReady) setWasReady(true)
  // Rendering the list earlier would shift the layout when the rates, marks and tiers above it arrive. Once it is there it
  // stays: its form asks the same, and would ask a call that failed again each time it appears.
  if (!isReady && !wasReady) return null
  return (
    <ListFrame
      name="What if"
      query={body ? query : { ...NOTHING_ASKED, error: tiersNow.error, refetch: tiersNow.refetch }}
      list={list}
      columns={columnsOf(applied.groupBy === 'agent', hasTiers, recorded)}
      rowKey={({ companyId: office, agentId = 0 }) => `${office} ${agentId}`}
      criteria={
        <WhatIfForm
          applied={applied}
          from={applied.start}
          busy={query.isFetching}
          onSearch={({ start: first, end: until, ...others }) =>
            list.search({ ...others, start: first ?? undefined, end: until ?? undefined })
          }
          onClear={list.clear}
        />
      }
      summary={<Outcome asked={asked} offices={offices.data ?? []} />}
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
  error: null,
  isPlaceholderData: false,
}
