import type { LikelyDouble } from '@tallyroom/contract/tracking/postbacks'
import { SaleLink } from '../../ui/ObjectLink.tsx'
import { Instant } from '../../ui/text/Instant.tsx'

/** That an order may be reported twice. Nobody can know, so nothing is held for it. */
export const LikelyDoubles = ({ doubles }: { doubles: readonly LikelyDouble[] | undefined }) =>
  doubles?.map(({ id, transactionId, receivedAt, eventId }) => (
    <p key={id}>
      Perhaps the same order twice: order <bdi>{transactionId}</bdi> has the same click and amount,
      reported <Instant at={receivedAt} />. {eventId && <SaleLink id={eventId}>Its sale</SaleLink>}
    </p>
  ))
