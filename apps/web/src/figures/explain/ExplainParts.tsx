import type { ExplainPart, Explanation } from '@tallyroom/contract/figures/explain'
import { decodeClickId, saysUnstored } from '@tallyroom/domain/click-id'
import { eventTypeLabel, isEventType } from '@tallyroom/domain/event-types'
import { formatCount, formatPercent } from '@tallyroom/domain/money'
import { dayOf } from '@tallyroom/domain/new-york'
import { originText } from '../../lib/rate-origin.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkText } from '../../ui/links.tsx'
import { SaleLink } from '../../ui/ObjectLink.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { amountFormat, paidByText, sourceText, tierText } from './explain-words.ts'
import { WithDays } from '../../ui/text/WithDays.tsx'
import classes from './ExplainDrawer.module.css'

interface ExplainPartsProps {
  explanation: Explanation
  /** The parts on screen are those of the previous page. */
  stale: boolean
}

/** Every sale, bonus and reversal that is in the figure, each with its rate and its postback. */
export function ExplainParts({ explanation, stale }: ExplainPartsProps) {
  const { items, total, pageSum } = explanation.parts
  const format = amountFormat(explanation)
  const amountHeader = explanation.unit === 'count' ? 'Count' : 'Amount'
  if (total === 0) return null
  return (
    <section>
      <h2 className={classes.heading}>Sale by sale</h2>
      <PlainTable
        label="Sale by sale"
        className={classes.table}
        columns={[
          { header: 'Event', cell: (part) => <Event part={part} /> },
          {
            header: 'Agent and link',
            cell: (part) => (
              <>
                {part.agent} <span className={classes.dim}>({part.officeName})</span>
                <div className={classes.dim}>
                  {part.sitename} · {part.typename}
                </div>
                <Origin part={part} />
              </>
            ),
          },
          {
            header: amountHeader,
            numeric: true,
            cell: (part) => (
              <>
                {format(part.amount)}
                <div className={classes.why}>
                  <WithDays>{whyOf(part)}</WithDays>
                </div>
                {part.paidBy && <div className={classes.why}>{paidByText[part.paidBy]}</div>}
              </>
            ),
          },
        ]}
        rows={items}
        rowKey={({ eventId }) => eventId}
        marksOf={() => ({ 'data-stale': stale || undefined })}
        sums={
          total > items.length
            ? [
                {
                  label: `These ${formatCount(items.length)}`,
                  cells: { [amountHeader]: format(pageSum) },
                },
              ]
            : []
        }
      />
    </section>
  )
}

const Event = ({ part }: { part: ExplainPart }) => (
  <>
    <SaleLink id={part.eventId}>{kindOf(part)}</SaleLink>
    <div className={classes.dim}>
      <Instant at={part.occurredAt} />
    </div>
    {part.reversesOccurredAt && (
      <div className={classes.dim}>
        for the one of <Instant at={part.reversesOccurredAt} />
      </div>
    )}
  </>
)

/** Where the sale came from: its order number, its click, and the postback for whoever may see postbacks. */
function Origin({ part }: { part: ExplainPart }) {
  const { siteId, clickId, transactionId, postbackId } = part
  const clicks = clickSearch(part)
  return (
    <div className={classes.origin}>
      {transactionId && (
        <>
          <bdi>
            <code>{transactionId}</code>
          </bdi>
          <CopyButton value={transactionId} what="order number" />
        </>
      )}
      {clicks ? (
        <LinkText to="/app/logs/click-outs" search={clicks}>
          Click
        </LinkText>
      ) : (
        <>
          <span className={classes.dim}>Click</span>
          <CopyButton value={clickId} what="click id" />
        </>
      )}
      {postbackId && (
        <LinkText to="/app/sites/postbacks" search={{ siteId, clickId }}>
          Postback
        </LinkText>
      )}
    </div>
  )
}

/**
 * The click log of the day of the click, which its id contains; undefined for any other kind of id, and for one that stands for no stored
 * click: a crawler's, or that of an order by coupon code.
 */
function clickSearch({ clickId, siteId, agentId, companyId }: ExplainPart) {
  const click = decodeClickId(clickId)
  if (!click || saysUnstored(click)) return undefined
  const day = dayOf(click.clickedAtMs)
  return { siteId, agentId, companyId, start: day, end: day }
}

function kindOf({
  eventType,
  reversal,
  difference,
  partPercent,
  isRestored,
  useApproveSale,
}: ExplainPart) {
  const name = isEventType(eventType) ? eventTypeLabel(eventType, { useApproveSale }) : ''
  if (difference)
    return `${name}: ${difference.isUndoing ? 'backdating undone' : 'rates backdated'}`
  if (partPercent !== undefined) return `${name}: ${formatPercent(partPercent)} refunded`
  if (isRestored && reversal === null) return `${name}: counted again`
  return reversal === null ? name : `${name} reversed: ${reversal}`
}

/** `12 AVP sales in the week: tier 10+`, or where the rate came from. */
function whyOf({ rateSource, origin, reason, difference }: ExplainPart) {
  if (reason) {
    return `${formatCount(reason.agentAvpSales)} AVP sales in the week: ${tierText(reason)}`
  }
  if (difference) {
    const by =
      difference.by === undefined ? '' : `, by ${difference.by}: ${difference.reason ?? ''}`
    return `On ${dayOf(Date.parse(difference.at))}${by}`
  }
  return rateSource && sourceText[rateSource] + originText(origin)
}
