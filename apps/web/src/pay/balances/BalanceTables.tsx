import type { Balance } from '@tallyroom/contract/pay/balances/balances'
import { can } from '@tallyroom/domain/abilities'
import { useToday } from '../../lib/clock.ts'
import { useMe } from '../../lib/session.ts'
import { LinkText } from '../../ui/links.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { adjustmentColumns, entryColumnsOf, holdColumnsOf } from './balance-columns.tsx'
import type { BalanceAct } from '../balance-words.ts'
import classes from '../pay.module.css'

interface BalanceTablesProps {
  balance: Balance
  /** For whoever may change it. */
  onAct: ((act: BalanceAct) => void) | undefined
}

/** All that ever changed a balance, its adjustments and its holds. */
export function BalanceTables({ balance, onAct }: BalanceTablesProps) {
  const { entries, adjustments, holds } = balance
  const today = useToday()
  const mayManage = onAct !== undefined
  return (
    <>
      <section className={classes.section}>
        <h3>Entries</h3>
        {entries.length === 0 ? (
          <NothingYet balance={balance} />
        ) : (
          <PlainTable
            cards
            label="Entries"
            columns={entryColumnsOf(mayManage, today)}
            rows={entries}
            rowKey={({ id }) => id}
          />
        )}
      </section>
      {(mayManage || adjustments.length > 0) && (
        <section className={classes.section}>
          <h3>Adjustments</h3>
          {adjustments.length === 0 ? (
            <p>None yet. An adjustment adds an amount to the next statement, or subtracts one.</p>
          ) : (
            <PlainTable
              cards
              label="Adjustments"
              columns={adjustmentColumns(entries, onAct)}
              rows={adjustments}
              rowKey={({ id }) => id}
            />
          )}
        </section>
      )}
      {holds.length > 0 && (
        <section className={classes.section}>
          <h3>Holds</h3>
          <PlainTable
            cards
            label="Holds"
            columns={holdColumnsOf(mayManage)}
            rows={holds}
            rowKey={({ setAt, held }) => `${setAt} ${held}`}
          />
        </section>
      )}
    </>
  )
}

/** Why somebody has no balance, and where to look instead. */
function NothingYet({ balance: { payee, payees } }: { balance: Balance }) {
  const isOwn = !can(useMe(), 'pay.manage')
  const statements = (
    <LinkText to="/app/pay/statements" underlined>
      Statements
    </LinkText>
  )
  if (payees === null) return <p>Pay is not switched on yet.</p>
  if (payees === 'offices' && payee.kind === 'agent') {
    return isOwn ? (
      <p>
        The network pays your office, and your office pays you, so you have no balance here. What
        your office gets for your sales is under {statements}.
      </p>
    ) : (
      <p>
        Offices are paid, so agents have no balance. What an office gets for this agent’s sales is
        on its statements.
      </p>
    )
  }
  if (payees === 'agents' && payee.kind === 'office') {
    return <p>Agents are paid themselves, so offices have no balance.</p>
  }
  return (
    <p>
      No statement and no payment yet. {isOwn ? 'Your' : 'The'} first statement is made when the
      first pay period with {isOwn ? 'your' : 'their'} sales is closed.
    </p>
  )
}
