import { useNavigate, useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { criteriaSummary, type CriteriaNames } from '../criteria-names.ts'
import type { FigureColumn } from '../stats-columns.tsx'
import type { StatsReport } from '../reports.ts'
import type { StatsCriteria, StatsSearch } from '../stats-search.ts'
import { readExplained, type ExplainedAmount } from './explain-search.ts'

const ExplainDrawer = lazy(() => import('./ExplainDrawer.tsx'))

interface ExplanationProps {
  report: StatsReport
  search: StatsSearch
  criteria: StatsCriteria
  names: CriteriaNames
  figures: readonly FigureColumn[]
}

/** The drawer of the amount that the URL names, if it names one. Back closes it. */
export function Explanation({ report, search, criteria, names, figures }: ExplanationProps) {
  const navigate = useNavigate()
  const { history } = useRouter()
  const amount = readExplained(search.explain)
  if (!amount) return null

  const close = () => {
    if (history.location.state.explained) return history.back()
    void navigate({
      to: '.',
      search: { ...search, explain: undefined, explainPage: undefined },
      replace: true,
      resetScroll: false,
    })
  }
  return (
    <Suspense>
      <ExplainDrawer
        key={search.explain}
        report={report}
        criteria={criteria}
        amount={amount}
        title={titleOf(amount, names, figures)}
        summary={criteriaSummary(criteria, names)}
        page={search.explainPage ?? 1}
        onPage={(page) =>
          void navigate({
            to: '.',
            search: { ...search, explainPage: page === 1 ? undefined : page },
            // Paging is no step: Back still closes the drawer.
            replace: true,
            state: (state) => state,
            resetScroll: false,
          })
        }
        onClose={close}
      />
    </Suspense>
  )
}

/** `Payout · 2026-11-16 · Manila · maria`, or `Payout · Overall total`. */
function titleOf(
  { column, row }: ExplainedAmount,
  names: CriteriaNames,
  figures: readonly FigureColumn[],
): string {
  const { date, companyId, agentId, typeId } = row
  const whose = [
    date,
    companyId !== undefined && (names.office(companyId) ?? `Office #${companyId}`),
    agentId !== undefined && (names.agent(agentId) ?? `Agent #${agentId}`),
    typeId !== undefined && (names.type(typeId) ?? `Link type #${typeId}`),
  ].filter(Boolean)
  const header = figures.find(({ id }) => id === column)?.header ?? 'Amount'
  return [header, ...(whose.length > 0 ? whose : ['Overall total'])].join(' · ')
}
