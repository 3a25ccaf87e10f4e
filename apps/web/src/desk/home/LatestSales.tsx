import { Badge } from '@mantine/core'
import type { Home } from '@tallyroom/contract/desk/home'
import { can } from '@tallyroom/domain/abilities'
import { EVENT_TYPE, eventTypeLabel } from '@tallyroom/domain/event-types'
import { signedDollars } from '@tallyroom/domain/money'
import { useMe } from '../../lib/session.ts'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkText } from '../../ui/links.tsx'
import { SaleLink } from '../../ui/ObjectLink.tsx'
import { SalePay } from '../../shared/earned.tsx'
import { BoardCard } from './BoardCard.tsx'
import classes from './HomeOwn.module.css'

type Sale = Home['latestSales'][number]

/**
 * The newest sales, as they come. Each opens its page. Staff see what the network earns, if they may; everybody else what
 * they are paid.
 */
export function LatestSales({ sales }: { sales: readonly Sale[] }) {
  const me = useMe()
  return (
    <BoardCard
      title="Latest sales"
      note=""
      footer={<LinkText to="/app/logs/sale-logs">All sales</LinkText>}
    >
      {sales.length === 0 ? (
        <p className={classes.none}>
          No sales yet. Each one appears here seconds after it is made.
        </p>
      ) : (
        <ul className={classes.rows}>
          {sales.map((sale) => (
            <li key={sale.id}>
              <span className={classes.what}>
                <SaleLink id={sale.id}>
                  {sale.sitename} · {sale.typename}
                </SaleLink>
                <small>
                  <Instant at={sale.date} />
                  {can(me, 'agents.choose') && ` · ${sale.agent}`}
                </small>
                <KindBadge {...sale} />
              </span>
              <span className={classes.money}>
                {sale.earning !== undefined ? (
                  <SaleLink id={sale.id}>{signedDollars(sale.earning)}</SaleLink>
                ) : (
                  sale.payout !== undefined && <SalePay {...sale} />
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </BoardCard>
  )
}

/** Whatever is not a plain sale. */
function KindBadge({ reversal, eventType, useApproveSale }: Sale) {
  if (reversal)
    return (
      <Badge color="red" size="sm" className={classes.kind}>
        {reversal}
      </Badge>
    )
  if (eventType === EVENT_TYPE.sale && !useApproveSale) return null
  return (
    <Badge color="gray" size="sm" className={classes.kind}>
      {eventTypeLabel(eventType, { useApproveSale })}
    </Badge>
  )
}
