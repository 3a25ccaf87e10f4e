import { Badge } from '@mantine/core'
import type { Sale } from '@tallyroom/contract/desk/sales'
import { can } from '@tallyroom/domain/abilities'
import type { HoldAct } from '@tallyroom/domain/holds'
import { inSentence } from '@tallyroom/domain/invisible'
import { formatPercent, signedPesos } from '@tallyroom/domain/money'
import { daysInWords } from '@tallyroom/domain/periods'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePageName } from '../../lib/pages/page-name.ts'
import { useMe } from '../../lib/session.ts'
import { HoldActs } from '../../shared/held/HoldActs.tsx'
import { LikelyDoubles } from '../../shared/held/LikelyDoubles.tsx'
import { type HeldPostback, SettleHeld } from '../../shared/held/SettleHeld.tsx'
import { WhoDecides } from '../../shared/held/WhoDecides.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { SiteLink } from '../../shared/SiteLink.tsx'
import { AgentLink, OfficeLink, SaleLink } from '../../ui/ObjectLink.tsx'
import { tierAmountText } from '../../shared/earned.tsx'
import { Timeline } from '../../ui/Timeline.tsx'
import { saleQuery } from './sale-logs.api.ts'
import { recordLabel, reportedText, REVERSAL_LABELS } from './sale-words.ts'
import { storyOf } from './sale-story.tsx'
import { StatementLink } from './counted-items.tsx'
import { useAsked } from '../../ui/use-asked.ts'
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
  const me = useMe()
  const client = useQueryClient()
  const { asked: settling, key, ask, end } = useAsked<{ postback: HeldPostback; act: HoldAct }>()
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div className={classes.headline}>
          <h2 className={classes.amount}>
            {recordLabel(sale)} <Amount sale={sale} />
          </h2>
          <Status sale={sale} />
        </div>
        <p className={classes.facts}>
          {transactionId !== null && <strong>{transactionId}</strong>}
          {can(me, 'agents.choose') && (
            <span>
              <AgentLink id={agentId} {...(companyId !== null && { companyId })}>
                {agent}
              </AgentLink>
            </span>
          )}
          <span>
            {sitename} · {typename}
          </span>
          <Instant at={occurredAt} />
        </p>
        <Pay sale={sale} />
        <Doubles sale={sale} />
        <Decisions
          sale={sale}
          onDecide={
            can(me, 'postbacks.settle') ? (postback, act) => ask({ postback, act }) : undefined
          }
        />
      </header>
      <section aria-labelledby="sale-story">
        <h3 id="sale-story" className={classes.heading}>
          From the click to the figures
        </h3>
        <Timeline label="From the click to the figures" items={storyOf(sale)} />
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
          key={key}
          postbacks={[settling.postback]}
          act={settling.act}
          refresh={() => client.invalidateQueries(saleQuery(sale.eventId))}
          onClosed={end}
        />
      )}
    </div>
  )
}

/** What it pays, as in the sale log; struck out once it is taken back. Nothing for those who see no payouts. */
function Amount({ sale }: { sale: Sale }) {
  if (sale.payout === undefined) return null
  return sale.reversal ? <s>{signedPesos(sale.payout)}</s> : amountOf(sale, sale.payout)
}

function amountOf(sale: Sale, payout: number): string {
  const { tierPay, differences, life } = sale
  const changes = [...differences, ...life].reduce((sum, one) => sum + (one.payout ?? 0), 0)
  const byRate = signedPesos(payout + changes)
  if (!tierPay) return byRate
  const byTier = tierAmountText(tierPay, tierPay)
  return tierPay.isOnTop ? `${byRate} + ${byTier}` : byTier
}

/** Why it pays that, and when: what its agent asks first. */
function Pay({ sale }: { sale: Sale }) {
  const { payout, paidBy, reversal, booked } = sale
  if (payout === undefined) return null
  const isOutside = paidBy === 'outside' || paidBy === 'off'
  if (isOutside && !reversal) {
    return (
      <dl className={classes.pay}>
        <div>
          <dt>Pay</dt>
          <dd>{OUTSIDE[paidBy]}</dd>
        </div>
      </dl>
    )
  }
  return (
    <dl className={classes.pay}>
      <div>
        <dt>{reversal ? 'Taken back' : 'Paid by'}</dt>
        <dd>
          {reversal
            ? `on ${daysInWords({ start: reversal.day, end: reversal.day })}, so it pays nothing`
            : byWhat(sale, payout)}
        </dd>
      </div>
      {(booked || !reversal) && (
        <div>
          <dt>Paid with</dt>
          <dd>{booked ? <Statements sale={sale} booked={booked} /> : periodOf(sale)}</dd>
        </div>
      )}
    </dl>
  )
}

const OUTSIDE = {
  outside: 'Recorded before pay was switched on: settled outside Tallyroom',
  off: 'Pay is not switched on: settled outside Tallyroom',
}

function byWhat({ tierPay, differences, life }: Sale, payout: number): string {
  const rate = signedPesos(payout)
  if (!tierPay) {
    const isChanged = [...differences, ...life].some((one) => one.payout !== 0)
    return isChanged ? `its rate, ${rate}, and what changed it since` : 'its rate'
  }
  const { tier, isOnTop, next } = tierPay
  const more = next ? `; tier ${next.tier} would pay ${tierAmountText(tierPay, next)}` : ''
  return isOnTop
    ? `its rate, ${rate}, and AVP tier ${tier}${more}`
    : `AVP tier ${tier}, instead of its rate of ${rate}${more}`
}

const Statements = ({
  sale: { reversal },
  booked,
}: {
  sale: Sale
  booked: NonNullable<Sale['booked']>
}) => (
  <>
    <StatementLink {...booked} />
    {reversal && !reversal.booked && '; the reversal is on none yet'}
    {reversal?.booked && reversal.booked.number !== booked.number && (
      <>
        , taken back on <StatementLink {...reversal.booked} />
      </>
    )}
  </>
)

const periodOf = ({ tier, tierPay, halfMonth }: Sale): string =>
  tier && tierPay && !tierPay.isOnTop
    ? `its AVP week, ${daysInWords(tier.week)}, which is on no statement yet`
    : `the half-month ${daysInWords(halfMonth)}, which is on no statement yet`

/** For staff, who see its postbacks. */
const Doubles = ({ sale }: { sale: Sale }) => {
  const all = sale.postbacks.flatMap(({ detail }) => detail?.doubles ?? [])
  // One that waits names this sale in turn.
  const others = all.filter(({ transactionId }) => transactionId !== sale.transactionId)
  const doubles = [...new Map(others.map((one) => [one.id, one])).values()]
  if (doubles.length === 0) return null
  return (
    <section className={classes.decide} aria-label="Perhaps the same order twice">
      <LikelyDoubles doubles={doubles} />
    </section>
  )
}

type Decide = (postback: HeldPostback, act: HoldAct) => void

/** The postbacks about it that wait for a decision, which can be taken here. */
function Decisions({ sale, onDecide }: { sale: Sale; onDecide: Decide | undefined }) {
  return sale.postbacks.map(({ receivedAt, event, detail }) =>
    detail?.hold ? (
      <section key={detail.id} className={classes.decide} aria-label="Waits for a decision">
        <p>
          Its postback <strong>{event ?? 'without an event'}</strong> of <Instant at={receivedAt} />{' '}
          waits for a decision. {detail.reason}
        </p>
        {onDecide ? (
          <HoldActs
            size="compact-sm"
            acts={detail.hold.acts}
            onAct={(act) => onDecide({ ...detail, siteId: sale.siteId, event }, act)}
          />
        ) : (
          <WhoDecides id={detail.id} />
        )}
      </section>
    ) : null,
  )
}

const Status = ({ sale: { reversal, fraud, life, agentSuspended } }: { sale: Sale }) => (
  <>
    {reversal ? (
      <Badge color="red">Reversed: {REVERSAL_LABELS[reversal.kind]}</Badge>
    ) : (
      <Badge color="green">Counted</Badge>
    )}
    {!reversal && partsOf(life) > 0 && (
      <Badge color="orange">{formatPercent(partsOf(life))} refunded</Badge>
    )}
    {agentSuspended && <Badge color="gray">The agent was suspended when it came</Badge>}
    {fraud && <Badge color="orange">Black-listed IP</Badge>}
  </>
)

/** How much of the sale is refunded, in percent, since it was last counted. */
const partsOf = (life: Sale['life']): number =>
  life
    .slice(life.findLastIndex(({ kind }) => kind === 'restored') + 1)
    .reduce((sum, { partPercent = 0 }) => sum + partPercent, 0)

function Facts({ sale }: { sale: Sale }) {
  const { transactionId, clickId, eventId, customerEmail, companyId, officeName } = sale
  const { siteId, sitename, typename } = sale
  const me = useMe()
  return (
    <dl className={classes.list}>
      <Fact name="Order number" copy={transactionId} />
      <Fact name="Click id" copy={clickId} />
      <Fact name="Sale id" copy={eventId} />
      <Fact name="Customer">{customerEmail ?? '–'}</Fact>
      {me.role !== 'agent' && (
        <Fact name="Office">
          {companyId === null ? '–' : <OfficeLink id={companyId}>{officeName}</OfficeLink>}
        </Fact>
      )}
      <Fact name="Site">
        <SiteLink id={siteId}>{sitename}</SiteLink>
      </Fact>
      <Fact name="Link">{typename}</Fact>
      {sale.reported && <Fact name="Reported by the merchant">{reportedText(sale.reported)}</Fact>}
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
