import {
  moneyText,
  type StatementRow,
  type StatementSection,
} from '@tallyroom/contract/statement-sections'
import type { AmountQuestion } from '@tallyroom/contract/stats-explain'
import { formatCount } from '@tallyroom/domain/money'
import { addDays } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { Amount } from '../../ui/Amount.tsx'
import { AgentLink } from '../../ui/ObjectLink.tsx'
import classes from './pay.module.css'
import { PayTable, type PayColumn } from './PayTable.tsx'

interface StatementSectionsProps {
  sections: readonly StatementSection[]
  /** The days of the statement’s period. */
  period: DateRange
}

/** The lines of a statement. The sum of each opens what is known today of its sales. */
export const StatementSections = ({ sections, period }: StatementSectionsProps) =>
  sections.length === 0 ? (
    <p className={classes.lead}>Nothing was earned in this period.</p>
  ) : (
    sections.map((section) => (
      <section key={section.key} className={classes.section}>
        <h3>{section.title}</h3>
        {section.about && <p>{section.about}</p>}
        <PayTable
          label={section.title}
          columns={columnsOf(section, section.days ?? period)}
          rows={section.rows}
          rowKey={({ key }) => key}
          sums={section.sums.map(({ currency, amount }) => ({
            label: 'Sum',
            cells: { Sum: moneyText(amount, currency) },
          }))}
        />
      </section>
    ))
  )

function columnsOf({ rows }: StatementSection, days: DateRange): PayColumn<StatementRow>[] {
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
    ...(kind === 'adjustment' ? [] : [rateColumn, countColumn('Sales', 'sales')]),
    ...(kind === 'rate'
      ? [countColumn('Bonuses', 'bonuses'), countColumn('Reversals', 'reversals')]
      : []),
    {
      header: 'Sum',
      numeric: true,
      cell: (row) => (
        <Amount
          of={questionOf(row, days)}
          label={`Sum, ${row.agent?.name ?? 'adjustment'}, ${row.what},`}
        >
          {moneyText(row.amount, row.currency)}
        </Amount>
      ),
    },
  ]
}

const agentColumn: PayColumn<StatementRow> = {
  header: 'Agent',
  cell: ({ agent, office }) =>
    agent && (
      <AgentLink id={agent.id} {...(office && { companyId: office.id })}>
        {agent.name}
      </AgentLink>
    ),
}

const rateColumn: PayColumn<StatementRow> = {
  header: 'Rate',
  numeric: true,
  cell: ({ rate, currency }) => rate !== null && moneyText(rate, currency),
}

const countColumn = (
  header: string,
  name: 'sales' | 'bonuses' | 'reversals',
): PayColumn<StatementRow> => ({
  header,
  numeric: true,
  cell: (row) => row[name] !== null && formatCount(row[name]),
})

/** What the sales of a line pay in the reports: for a week its AVP sales, for all others their link type’s payout. */
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
