import { isPaidByTier, paidByTierText } from '@tallyroom/contract/pay/bookings/paid-by-tier'
import {
  COUNT_HEADERS,
  COUNT_NAMES,
  type CountName,
  moneyText,
  type StatementRow,
  type StatementSection,
} from '@tallyroom/contract/pay/statements/statement-sections'
import type { AmountQuestion } from '@tallyroom/contract/figures/explain'
import { formatCount } from '@tallyroom/domain/money'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { Amount, FigureLink } from '../../ui/text/Amount.tsx'
import { AgentLink } from '../../ui/ObjectLink.tsx'
import { WithDays } from '../../ui/text/WithDays.tsx'
import classes from '../pay.module.css'
import { PlainTable, type PlainColumn } from '../../ui/PlainTable.tsx'

interface StatementSectionsProps {
  sections: readonly StatementSection[]
  /** The days of the statement’s period. */
  period: DateRange
  /** Nothing is booked yet. */
  isPreview: boolean
}

/** The lines of a statement. Each sum opens its bookings or, in a preview, the sales in today’s reports. */
export const StatementSections = ({ sections, period, isPreview }: StatementSectionsProps) =>
  sections.length === 0 ? (
    <p className={classes.lead}>Nothing was earned in this period.</p>
  ) : (
    sections.map((section) => (
      <section key={section.key} id={section.key} className={classes.section}>
        <h3>{section.title}</h3>
        {section.about && <p>{section.about}</p>}
        {!section.rows.every(isPaidByTier) && (
          <PlainTable
            cards
            label={section.title}
            columns={columnsOf(paidRows(section), isPreview ? (section.days ?? period) : undefined)}
            rows={paidRows(section)}
            rowKey={({ key }) => key}
            sums={section.sums.map(({ currency, amount }) => ({
              label: 'Sum',
              cells: { Sum: moneyText(amount, currency) },
            }))}
          />
        )}
        <ByTierText section={section} sections={sections} periodEnd={period.end} />
      </section>
    ))
  )

const paidRows = ({ rows }: StatementSection) => rows.filter((row) => !isPaidByTier(row))

function ByTierText({
  section,
  sections,
  periodEnd,
}: {
  section: StatementSection
  sections: readonly StatementSection[]
  periodEnd: Day
}) {
  const text = paidByTierText(section, sections, periodEnd)
  return (
    text !== undefined && (
      <p>
        <WithDays>{text}</WithDays>
      </p>
    )
  )
}

/** The sales that tiers pay, folded, to stand after the sums: their money is in the lines of their weeks. */
export function PaidByTier({ sections, period, isPreview }: StatementSectionsProps) {
  const lists = sections
    .map((section) => ({ section, rows: section.rows.filter(isPaidByTier) }))
    .filter(({ rows }) => rows.length > 0)
  if (lists.length === 0) return null
  return (
    <details className={classes.folded}>
      <summary>Sales that are paid by tier</summary>
      {lists.map(({ section, rows }) => (
        <section key={section.key} className={classes.section}>
          <h3>{section.title}</h3>
          <PlainTable
            cards
            label={`${section.title}, paid by tier`}
            columns={columnsOf(rows, isPreview ? (section.days ?? period) : undefined)}
            rows={rows}
            rowKey={({ key }) => key}
          />
        </section>
      ))}
    </details>
  )
}

function columnsOf(
  rows: readonly StatementRow[],
  previewed: DateRange | undefined,
): PlainColumn<StatementRow>[] {
  const kind = rows[0]?.of.kind
  return [
    ...(kind === 'adjustment' ? [] : [agentColumn]),
    {
      header: kind === 'adjustment' ? 'Reason' : 'For',
      cell: ({ what, note }) => (
        <>
          {what}
          {note && <div className={classes.dim}>{note}</div>}
        </>
      ),
    },
    ...(rows.some(({ rate }) => rate !== null) ? [rateColumn] : []),
    ...COUNT_NAMES.filter((name) => rows.some((row) => row[name] !== null)).map(countColumn),
    {
      header: 'Sum',
      numeric: true,
      cell: (row) => <Sum row={row} previewed={previewed} />,
    },
  ]
}

function Sum({ row, previewed }: { row: StatementRow; previewed: DateRange | undefined }) {
  const label = `Sum, ${row.agent?.name ?? 'adjustment'}, ${row.what},`
  const text = moneyText(row.amount, row.currency)
  if (previewed) {
    return (
      <Amount of={questionOf(row, previewed)} label={label}>
        {text}
      </Amount>
    )
  }
  // An adjustment’s line already says who made it, when and why.
  if (row.of.kind === 'adjustment') return text
  return (
    <FigureLink
      search={{ line: row.key }}
      state={{ explained: true }}
      label={`${label} ${text}: what it is made of`}
    >
      {text}
    </FigureLink>
  )
}

const agentColumn: PlainColumn<StatementRow> = {
  header: 'Agent',
  cell: ({ agent, office }) =>
    agent && (
      <AgentLink id={agent.id} {...(office && { companyId: office.id })}>
        {agent.name}
      </AgentLink>
    ),
}

const rateColumn: PlainColumn<StatementRow> = {
  header: 'Rate',
  numeric: true,
  cell: ({ rate, currency }) => rate !== null && moneyText(rate, currency),
}

const countColumn = (name: CountName): PlainColumn<StatementRow> => ({
  header: COUNT_HEADERS[name],
  numeric: true,
  // Leaving out zeros makes the other figures stand out; on a phone it drops the row.
  cell: (row) => Boolean(row[name]) && formatCount(row[name] ?? 0),
})

/** The report figure for a line’s sales: AVP sales for a week, else the link type’s payout. */
function questionOf({ of }: StatementRow, { start, end }: DateRange): AmountQuestion | undefined {
  switch (of.kind) {
    case 'rate':
      return {
        report: 'sites',
        column: 'payout',
        start,
        end,
        agentId: of.line.agentId,
        siteId: of.line.siteId,
        typeId: of.line.typeId,
      }
    case 'tier':
      return {
        report: 'avp',
        column: 'avpSales',
        start: of.line.week,
        end: addDays(of.line.week, 6),
        agentId: of.line.agentId,
      }
    case 'adjustment':
      return undefined
  }
}
