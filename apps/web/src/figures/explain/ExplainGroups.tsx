import type { ExplainGroup, Explanation } from '@tallyroom/contract/figures/explain'
import { formatCount } from '@tallyroom/domain/money'
import { useIsPhone } from '../../lib/phone.ts'
import { originText } from '../../lib/rate-origin.ts'
import { type PlainColumn, PlainTable } from '../../ui/PlainTable.tsx'
import { WithDays } from '../../ui/text/WithDays.tsx'
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
  if (groups.length === 0) return null
  const lines: Line[] = groups.map((group) => ({
    key: keyOf(group),
    name: nameOf(group),
    why: counts ? undefined : whyOf(group),
    rate: group.rate === undefined ? '' : format(group.rate),
    quantity: `${counts ? '' : '× '}${quantityText(group)}`,
    sum: format(group.sum),
  }))
  if (otherGroups.count > 0)
    lines.push({
      key: 'others',
      name: `${formatCount(otherGroups.count)} more ${counts ? 'link types' : 'rates'}`,
      sum: format(otherGroups.sum),
    })
  const title = counts ? 'By link type' : 'By rate'
  return (
    <section>
      <h2 className={classes.heading}>{title}</h2>
      <PlainTable
        label={title}
        className={classes.table}
        columns={[
          {
            header: 'For',
            cell: ({ name, why, rate, quantity }) => (
              <>
                <WithDays>{name}</WithDays>
                {isFolded && quantity && (
                  <div className={classes.product}>
                    {rate} {quantity}
                  </div>
                )}
                {why && (
                  <div className={classes.dim}>
                    <WithDays>{why}</WithDays>
                  </div>
                )}
              </>
            ),
          },
          ...(counts || isFolded ? [] : [rateColumn]),
          ...(isFolded ? [] : [quantityColumn]),
          { header: 'Sum', numeric: true, cell: (line) => line.sum },
        ]}
        rows={lines}
        rowKey={({ key }) => key}
        sums={[{ label: 'Sum', cells: { Sum: format(sum) } }]}
      />
    </section>
  )
}

interface Line {
  key: string
  name: string
  why?: string | undefined
  rate?: string
  quantity?: string
  sum: string
}

const rateColumn: PlainColumn<Line> = { header: 'Rate', numeric: true, cell: ({ rate }) => rate }

const quantityColumn: PlainColumn<Line> = {
  header: 'Count',
  numeric: true,
  cell: ({ quantity }) => quantity,
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
