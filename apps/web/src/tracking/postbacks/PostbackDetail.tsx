import type { PostbackItem } from '@tallyroom/contract/tracking/postbacks'
import { formatClock } from '@tallyroom/domain/new-york'
import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { JsonBlock } from '../../ui/text/JsonBlock.tsx'
import { SaleLink } from '../../ui/ObjectLink.tsx'
import { HeldSides } from '../../shared/held/HeldSides.tsx'
import { LikelyDoubles } from '../../shared/held/LikelyDoubles.tsx'
import { originOf } from './outcomes.ts'
import classes from './PostbackDetail.module.css'

/** All details of a postback, below its row. */
export function PostbackDetail({ postback }: { postback: PostbackItem }) {
  const { id, eventId, clickId, transactionId, method, ip, receivedAt } = postback
  const { occurredAt, earliestAt, settledAt } = postback
  return (
    <div className={classes.detail}>
      <dl className={classes.facts}>
        <Fact name="Postback id" copy={id} />
        <Fact name="Click id" copy={clickId} />
        <Fact name="Transaction id" copy={transactionId} />
        <Fact name="Sale event id" copy={eventId} linked />
        <Fact name="Sent from">
          {method} from {ip}
        </Fact>
        <Fact name="Received">{formatClock(new Date(receivedAt))}</Fact>
        {occurredAt && <Fact name="Happened">{formatClock(new Date(occurredAt))}</Fact>}
        {earliestAt && (
          <Fact name={originOf(postback) === 'sale' ? 'Its sale' : 'Its click or code'}>
            {formatClock(new Date(earliestAt))}
          </Fact>
        )}
        {settledAt && <Fact name="Settled">{formatClock(new Date(settledAt))}</Fact>}
      </dl>
      {postback.hold?.kind === 'other-click' && <HeldSides id={id} />}
      <LikelyDoubles doubles={postback.doubles} />
      <JsonBlock caption="Parameters" text={postback.params} />
    </div>
  )
}

interface FactProps {
  name: string
  /** An id to show and copy. Null if there is none. */
  copy?: string | null
  /** The id leads to the page of the sale. */
  linked?: boolean
  children?: ReactNode
}

const Fact = ({ name, copy, linked = false, children }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {copy ? (
        <>
          {linked ? (
            <SaleLink id={copy}>
              <code>{copy}</code>
            </SaleLink>
          ) : (
            <bdi>
              <code>{copy}</code>
            </bdi>
          )}
          <CopyButton value={copy} what={name.toLowerCase()} />
        </>
      ) : (
        (children ?? '–')
      )}
    </dd>
  </div>
)
