import type { ExplainGroup, Explanation } from '@tallyroom/contract/figures/explain'
import { formatCount } from '@tallyroom/domain/money'
import { useIsPhone } from '../../lib/phone.ts'
import { originText } from '../../lib/rate-origin.ts'
import { WithDays } from '../../ui/WithDays.tsx'
import { amountFormat, reasonText, sourceText } from './explain-words.ts'
import classes from './ExplainDrawer.module.css'

/**
 * Rate × number for everything that pays the same, or the number by link type; the sum equals the
 * figure. On a phone, rate and number stand below the description, because there is no room for
 * more columns.
 */
export function ExplainGroups({ explanation }: { explanation: Explanation }) {
  const isPhone = useIsPhone()
  const { groups, otherGroups, sum } = explanation
  const format = amountFormat(explanation)
  const counts = explanation.unit === 'count'
  const isFolded = isPhone && !counts
  const before = isFolded ? 1 : counts ? 2 : 3
  if (groups.length === 0) return null
  return (
    <section>
      <h2 id="explain-groups" className={classes.heading}>
        {counts ? 'By link type' : 'By rate'}
      </h2>
      <div className={classes.scroller} tabIndex={0} role="region" aria-labelledby="explain-groups">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">For</th>
              {!counts && !isFolded && (
                <th scope="col" className={classes.number}>
                  Rate
                </th>
              )}
              {!isFolded && (
                <th scope="col" className={classes.number}>
                  Count
                </th>
              )}
              <th scope="col" className={classes.number}>
                Sum
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => {
              const rate = group.rate === undefined ? '' : format(group.rate)
              const quantity = `${counts ? '' : '× '}${quantityText(group)}`
              return (
                <tr key={keyOf(group)}>
                  <td>
                    <WithDays>{nameOf(group)}</WithDays>
                    {isFolded && (
                      <div className={classes.product}>
                        {rate} {quantity}
                      </div>
                    )}
                    {!counts && (
                      <div className={classes.dim}>
                        <WithDays>{whyOf(group)}</WithDays>
                      </div>
                    )}
                  </td>
                  {!counts && !isFolded && <td className={classes.number}>{rate}</td>}
                  {!isFolded && <td className={classes.number}>{quantity}</td>}
                  <td className={classes.number}>{format(group.sum)}</td>
                </tr>
              )
            })}
            {otherGroups.count > 0 && (
              <tr>
                <td colSpan={before}>
                  {formatCount(otherGroups.count)} more {counts ? 'link types' : 'rates'}
                </td>
                <td className={classes.number}>{format(otherGroups.sum)}</td>
              </tr>
            )}
          </tbody>
          <tfoot>
            <tr>
              <td colSpan={before}>Sum</td>
              <td className={classes.number}>{format(sum)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  )
}

const nameOf = ({ sitename, typename, reason }: ExplainGroup) =>
  [sitename, typename].filter(Boolean).join(' · ') || (reason ? `Week of ${reason.week}` : 'Sales')

function whyOf({ rateSource, origin, reason, differences, parts }: ExplainGroup) {
  if (reason) return reasonText(reason)
  const source = rateSource && sourceText[rateSource] + originText(origin)
  if (parts !== undefined) return `Refunded parts of sales: ${source}`
  return differences === undefined ? source : `Difference from backdated rates: ${source}`
}

/** `12`, or `(12 − 1)` when sales were reversed. */
function quantityText({ sales, reversals, differences, parts }: ExplainGroup) {
  const changes = differences ?? parts
  if (changes !== undefined) return formatCount(changes)
  return reversals === 0
    ? formatCount(sales)
    : `(${formatCount(sales)} − ${formatCount(reversals)})`
}

const keyOf = ({ siteId, typeId, rateSource, rate, reason, differences, parts }: ExplainGroup) =>
  [siteId, typeId, rateSource, rate, reason?.week, reason?.tier?.index, differences, parts].join(
    ' ',
  )
