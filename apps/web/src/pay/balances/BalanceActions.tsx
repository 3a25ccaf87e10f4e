import { Button } from '@mantine/core'
import type { Balance } from '@tallyroom/contract/pay/balances/balances'
import { can } from '@tallyroom/domain/abilities'
import { useMe } from '../../lib/session.ts'
import { LinkButton } from '../../ui/links.tsx'
import type { BalanceAct } from '../balance-words.ts'
import classes from '../pay.module.css'

interface BalanceActionsProps {
  payee: Balance['payee']
  /** When the hold was set that is in force; null without one. */
  heldSince: string | null
  onAct: (act: BalanceAct) => void
  onPay: () => void
  /** Absent if the payee owes nothing. */
  onReceive: (() => void) | undefined
}

/** What somebody may do to a balance. */
export function BalanceActions({ payee, heldSince, onAct, onPay, onReceive }: BalanceActionsProps) {
  const isHeld = heldSince !== null
  return (
    <div className={classes.actions}>
      {can(useMe(), 'logs.common') && <HistoryButton payee={payee} />}
      <Button onClick={() => onAct({ kind: 'adjust' })}>Add an adjustment</Button>
      <Button variant="default" onClick={onPay}>
        Enter a payment outside
      </Button>
      {onReceive && (
        <Button variant="default" onClick={onReceive}>
          Enter money received
        </Button>
      )}
      <Button
        variant="default"
        onClick={() => onAct({ kind: 'hold', held: !isHeld, seen: heldSince })}
      >
        {isHeld ? 'Lift the hold' : 'Put on hold'}
      </Button>
      <Button variant="default" onClick={() => onAct({ kind: 'minimum' })}>
        Set a minimum
      </Button>
    </div>
  )
}

/** Leads to the payee's history, which includes the changes of their account. */
const HistoryButton = ({ payee: { kind, id } }: Pick<Balance, 'payee'>) =>
  kind === 'office' ? (
    <LinkButton
      to="/app/offices/$companyId/history"
      params={{ companyId: String(id) }}
      variant="default"
    >
      History
    </LinkButton>
  ) : (
    <LinkButton
      to="/app/agents/$agentId/history"
      params={{ agentId: String(id) }}
      variant="default"
    >
      History
    </LinkButton>
  )
