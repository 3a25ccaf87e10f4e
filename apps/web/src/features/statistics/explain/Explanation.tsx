import { useNavigate, useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { StatsRow } from '@tallyroom/contract/statistics'
import { criteriaSummary, type CriteriaNames } from '../statistics.api.ts'
import type { FigureColumn } from '../stats-columns.tsx'
import type { StatsCriteria, StatsReport, StatsSearch } from '../stats-search.ts'
import { explainTitle, readExplained } from './explain-search.ts'

const ExplainDrawer = lazy(() => import('./ExplainDrawer.tsx'))

interface ExplanationProps {
  report: StatsReport
  search: StatsSearch
  criteria: StatsCriteria
  names: CriteriaNames
  figures: readonly FigureColumn[]
  /** The rows on screen. */
  rows: readonly StatsRow[]
}

/** The drawer for the amount in the URL, if there is one. Back closes it. */
export function Explanation(props: ExplanationProps) {
  const { report, search, criteria, names, figures, rows } = props
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
        title={explainTitle(amount, { headers: figures, rows, names })}
        summary={criteriaSummary(criteria, names)}
        page={search.explainPage ?? 1}
        onPage={(page) =>
          void navigate({
            to: '.',
            search: { ...search, explainPage: page === 1 ? undefined : page },
            // Paging adds no history entry, so Back still closes the drawer.
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
