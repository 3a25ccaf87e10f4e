import type { HeldSides as Sides } from '@tallyroom/contract/tracking/held-postbacks'
import { signedPesos } from '@tallyroom/domain/money'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AgentLink, OfficeLink, SaleLink } from '../../ui/ObjectLink.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { sidesQuery } from './held.api.ts'
import classes from './held.module.css'

interface HeldSidesProps {
  id: string
  /** What the report would pay, if that is known. */
  wouldPay?: string | undefined
}

/** The sales that are recorded for an order, beside the report that is held: whose, of which click, how much. */
export function HeldSides({ id, wouldPay }: HeldSidesProps) {
  const { data } = useQuery(sidesQuery(id))
  if (!data) return null
  const { recorded, reported } = data
  return (
    <div className={classes.sides} role="group" aria-label="Both reports">
      {recorded.map((side) => (
        <Side
          key={side.eventId}
          title={side.isReversed ? 'Recorded, taken back' : 'Recorded first'}
          side={side}
          pays={side.payout === undefined ? undefined : signedPesos(side.payout)}
        >
          <SaleLink id={side.eventId}>Open the sale</SaleLink>
        </Side>
      ))}
      <Side title="This report, held" side={reported} pays={wouldPay} isHeld />
    </div>
  )
}

function Side({
  title,
  side,
  pays,
  isHeld = false,
  children,
}: {
  title: string
  side: Sides['reported']
  pays: string | undefined
  isHeld?: boolean
  children?: ReactNode
}) {
  const { agentId, agent, companyId, officeName, typename, amount } = side
  return (
    <section className={classes.side} aria-label={title} data-held={isHeld || undefined}>
      <p className={classes.which}>{title}</p>
      <p className={classes.who}>
        {agentId === null ? (
          'The agent is deleted'
        ) : (
          <>
            <AgentLink id={agentId}>{agent}</AgentLink>
            {companyId !== null && (
              <>
                {' '}
                · <OfficeLink id={companyId}>{officeName}</OfficeLink>
              </>
            )}
          </>
        )}
      </p>
      <dl>
        <Fact name="Link type">{typename}</Fact>
        <Fact name="Clicked">{side.clickedAt && <Instant at={side.clickedAt} />}</Fact>
        <Fact name="Reported for">
          <Instant at={side.occurredAt} />
        </Fact>
        <Fact name="Amount">
          {amount && `${amount.value.toFixed(2)} ${amount.currency ?? ''}`.trim()}
        </Fact>
        {pays !== undefined && <Fact name={isHeld ? 'Would pay' : 'Pays'}>{pays}</Fact>}
      </dl>
      {children}
    </section>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children || '–'}</dd>
  </div>
)
