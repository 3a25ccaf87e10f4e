import { Badge } from '@mantine/core'
import type { Sale } from '@tallyroom/contract/sales'
import { can } from '@tallyroom/domain/abilities'
import type { HoldAct } from '@tallyroom/domain/holds'
import { inSentence } from '@tallyroom/domain/invisible'
import { formatPercent } from '@tallyroom/domain/money'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { usePageName } from '../../lib/page-name.ts'
import { useMe } from '../../lib/session.ts'
import { type HeldPostback, SettleHeld } from '../../pickers/held/SettleHeld.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { SiteLink } from '../../pickers/SiteLink.tsx'
import { AgentLink, OfficeLink, SaleLink } from '../../ui/ObjectLink.tsx'
import { signedDollars, signedPesos } from '../../ui/signed-amounts.ts'
import { Timeline } from '../../ui/Timeline.tsx'
import { saleQuery } from './sale-logs.api.ts'
import { recordLabel, reportedText, REVERSAL_LABELS } from './sale-words.ts'
import { type Decide, storyOf } from './sale-story.tsx'
import { WithDays } from '../../ui/WithDays.tsx'
import classes from './SalePage.module.css'

const route = getRouteApi('/app/sales/$eventId')

/** One sale: what it paid and why, and its timeline from the click to the reversal. */
export function SalePage() {
  const { eventId } = route.useParams()
  const query = useQuery(saleQuery(eventId))
  return (
    <FormLoader query={query} back={{ to: '/app/logs/sale-logs', label: 'Sale Logs' }}>
      {(sale) =>
        sale.eventId === eventId ? (
          <SaleView sale={sale} />
        ) : (
          // The id of a reversal leads to its sale.
          <Navigate to="/app/sales/$eventId" params={{ eventId: sale.eventId }} replace />
        )
      }
    </FormLoader>
  )
}

function SaleView({ sale }: { sale: Sale }) {
  const { transactionId, agentId, agent, companyId, sitename, typename, occurredAt } = sale
  usePageName(inSentence(transactionId ?? sale.eventId.slice(0, 8)))
  const mayDecide = can(useMe(), 'postbacks.manage')
  const client = useQueryClient()
  const [settling, setSettling] = useState<{ postback: HeldPostback; act: HoldAct }>()
  const decide: Decide = (postback, act) => setSettling({ postback, act })
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div className={classes.headline}>
          <h2 className={classes.amount}>{headlineOf(sale)}</h2>
          <Status sale={sale} />
        </div>
        <p className={classes.facts}>
          {transactionId !== null && <strong>{transactionId}</strong>}
          <span>
            <AgentLink id={agentId} {...(companyId !== null && { companyId })}>
              {agent}
            </AgentLink>
          </span>
          <span>
            {sitename} · {typename}
          </span>
          <Instant at={occurredAt} />
        </p>
      </header>
      <section aria-labelledby="sale-story" className={classes.story}>
        <h3 id="sale-story" className={classes.heading}>
          From the click to the figures
        </h3>
        <Timeline
          label="From the click to the figures"
          items={storyOf(sale, mayDecide ? decide : undefined)}
        />
      </section>
      <aside aria-labelledby="sale-facts" className={classes.aside}>
        <h3 id="sale-facts" className={classes.heading}>
          Details
        </h3>
        <Facts sale={sale} />
        <Others sale={sale} />
      </aside>
      {settling && (
        <SettleHeld
          postbacks={[settling.postback]}
          act={settling.act}
          refresh={() => client.invalidateQueries(saleQuery(sale.eventId))}
          onClosed={() => setSettling(undefined)}
        />
      )}
    </div>
  )
}

/** The payout, for those who may see it; otherwise what kind of event it is. */
function headlineOf(sale: Sale) {
  const { payout } = sale
  return payout === undefined ? recordLabel(sale) : `${recordLabel(sale)} ${signedPesos(payout)}`
}

const Status = ({ sale: { reversal, fraud, life, agentSuspended } }: { sale: Sale }) => (
  <>
    {reversal ? (
      <Badge color="red" variant="light">
        Reversed: {REVERSAL_LABELS[reversal.kind]}
      </Badge>
    ) : (
      <Badge color="green" variant="light">
        Counted
      </Badge>
    )}
    {!reversal && partsOf(life) > 0 && (
      <Badge color="orange" variant="light">
        {formatPercent(partsOf(life))} refunded
      </Badge>
    )}
    {agentSuspended && (
      <Badge color="gray" variant="light">
        The agent was suspended when it came
      </Badge>
    )}
    {fraud && (
      <Badge color="orange" variant="light">
        Black-listed IP
      </Badge>
    )}
  </>
)

/** How much of the sale is refunded, in percent, since it was last counted. */
const partsOf = (life: Sale['life']): number =>
  life
    .slice(life.findLastIndex(({ kind }) => kind === 'restored') + 1)
    .reduce((sum, { partPercent = 0 }) => sum + partPercent, 0)

function Facts({ sale }: { sale: Sale }) {
  const { transactionId, clickId, eventId, customerEmail, companyId, officeName } = sale
  const { agentId, agent, siteId, sitename, typename, earning, payout, lpp } = sale
  return (
    <dl className={classes.list}>
      <Fact name="Order number" copy={transactionId} />
      <Fact name="Click id" copy={clickId} />
      <Fact name="Sale id" copy={eventId} />
      <Fact name="Customer">{customerEmail ?? '–'}</Fact>
      <Fact name="Agent">
        <AgentLink id={agentId} {...(companyId !== null && { companyId })}>
          {agent}
        </AgentLink>
      </Fact>
      <Fact name="Office">
        {companyId === null ? '–' : <OfficeLink id={companyId}>{officeName}</OfficeLink>}
      </Fact>
      <Fact name="Site">
        <SiteLink id={siteId}>{sitename}</SiteLink>
      </Fact>
      <Fact name="Link">{typename}</Fact>
      {sale.reported && <Fact name="Reported by the merchant">{reportedText(sale.reported)}</Fact>}
      {payout !== undefined && <Fact name="Payout">{signedPesos(payout)}</Fact>}
      {earning !== undefined && <Fact name="Earning">{signedDollars(earning)}</Fact>}
      {lpp !== undefined && <Fact name="Points">{lpp}</Fact>}
      <Fact name="Counts on">{sale.day}</Fact>
      <Fact name="Half-month">
        <WithDays>
          {sale.halfMonth.start} – {sale.halfMonth.end}
        </WithDays>
      </Fact>
    </dl>
  )
}

/** Links to the click's other sales: another order, or the bonus of this one. */
const Others = ({ sale: { others, useApproveSale } }: { sale: Sale }) =>
  others.length > 0 && (
    <>
      <h3 className={classes.heading}>Also from this click</h3>
      <ul className={classes.others}>
        {others.map(({ eventId, eventType, transactionId, occurredAt, isReversed }) => (
          <li key={eventId}>
            <SaleLink id={eventId}>
              {recordLabel({ eventType, useApproveSale })} <bdi>{transactionId}</bdi>
            </SaleLink>
            <div className={classes.note}>
              <Instant at={occurredAt} />
              {isReversed && ', reversed'}
            </div>
          </li>
        ))}
      </ul>
    </>
  )

interface FactProps {
  name: string
  /** An id to show and copy; null if there is none. */
  copy?: string | null
  children?: ReactNode
}

const Fact = ({ name, copy, children }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {copy ? (
        <>
          <code>{copy}</code>
          <CopyButton value={copy} what={name.toLowerCase()} />
        </>
      ) : (
        (children ?? '–')
      )}
    </dd>
  </div>
)
