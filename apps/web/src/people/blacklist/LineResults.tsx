import { formatCount } from '@tallyroom/domain/money'
import classes from './LineResults.module.css'
import { countOutcomes, type LineResult } from './lines.ts'

interface LineResultsProps {
  results: readonly LineResult[]
}

/** Further lines are only counted: nobody reads them, and rendering them would take seconds. */
const MOST_SHOWN = 200

/** The outcome of each line. Failed lines come first. */
export function LineResults({ results }: LineResultsProps) {
  const inOrder = [
    ...results.filter(({ isDone }) => !isDone),
    ...results.filter(({ isDone }) => isDone),
  ]
  const more = inOrder.length - MOST_SHOWN
  return (
    <section className={classes.frame} aria-label="Results" tabIndex={0}>
      <ul className={classes.list}>
        {inOrder.slice(0, MOST_SHOWN).map(({ line, isDone, outcome }) => (
          <li key={line}>
            <code title={line}>{line}</code>
            <span data-refused={!isDone || undefined}>{outcome}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={classes.more}>… and {formatCount(more)} more</p>}
    </section>
  )
}

/** '12 added · 1 already there'. Refusals are counted together. */
export const summaryOf = (results: readonly LineResult[]): string =>
  [
    ...countOutcomes(
      results.map((result) => ({
        ...result,
        outcome: result.isDone ? result.outcome.replace(/ as .*/, '') : 'left in the list',
      })),
    ),
  ]
    .map(([outcome, count]) => `${formatCount(count)} ${outcome}`)
    .join(' · ')
