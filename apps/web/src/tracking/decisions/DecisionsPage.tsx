import { Button } from '@mantine/core'
import type { PostbackItem } from '@tallyroom/contract/tracking/postbacks'
import { can } from '@tallyroom/domain/abilities'
import { type HoldAct, readingOfAct } from '@tallyroom/domain/holds'
import { formatCount } from '@tallyroom/domain/money'
import { IconCheck } from '@tabler/icons-react'
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { agoText } from '../../lib/instant-text.ts'
import { useMe } from '../../lib/session.ts'
import { previewQuery, sidesQuery, wouldPay } from '../../shared/held/held.api.ts'
import { HeldSides } from '../../shared/held/HeldSides.tsx'
import { actWords, holdWords } from '../../shared/held/hold-words.ts'
import { SettleHeld } from '../../shared/held/SettleHeld.tsx'
import { WhoDecides } from '../../shared/held/WhoDecides.tsx'
import { SiteLink } from '../../shared/SiteLink.tsx'
import { LinkText } from '../../ui/links.tsx'
import { ListFailure } from '../../ui/list/ListFailure.tsx'
import { WithDays } from '../../ui/text/WithDays.tsx'
import {
  decidedQuery,
  putOffQuery,
  queueQuery,
  refreshQueue,
  whileDecided,
} from './decisions.api.ts'
import { FollowUp } from './FollowUp.tsx'
import { JustDecided, PutOff } from './Later.tsx'
import { nameOf } from './name-of.ts'
import { useAsked } from '../../ui/use-asked.ts'
import classes from './DecisionsPage.module.css'

const route = getRouteApi('/app/decisions')

/** Everything that is held for a person, one after another, oldest first. */
export function DecisionsPage() {
  const { holdKind } = route.useSearch()
  const query = useQuery(queueQuery(holdKind))
  const putOff = useQuery(putOffQuery(holdKind))
  const decided = useQuery({
    ...decidedQuery,
    refetchInterval: ({ state }) => whileDecided(state.data?.items),
  })
  if (query.error) return <ListFailure error={query.error} refetch={query.refetch} />
  if (!query.data) return null
  const { items, total } = query.data
  const [first] = items
  return (
    <div className={classes.page}>
      <JustDecided items={decided.data?.items ?? []} />
      <p className={classes.count}>
        <strong>{formatCount(total)}</strong> {total === 1 ? 'decision waits' : 'decisions wait'}
        {holdKind !== undefined && (
          <>
            {' '}
            of the kind “{holdWords[holdKind].label}”.{' '}
            <LinkText to="/app/decisions" search={{}}>
              Show all kinds
            </LinkText>
          </>
        )}
      </p>
      {first ? (
        <Queue key={holdKind} items={items} total={total} />
      ) : (
        <p className={classes.none}>
          <IconCheck size={15} aria-hidden /> Nothing waits for a decision.
        </p>
      )}
      <PutOff items={putOff.data?.items ?? []} total={putOff.data?.total ?? 0} />
    </div>
  )
}

function Queue({ items, total }: { items: readonly PostbackItem[]; total: number }) {
  const [place, setPlace] = useState(0)
  const { asked: settling, key, ask, end } = useAsked<{ postbacks: PostbackItem[]; act: HoldAct }>()
  const isSending = useIsMutating() > 0
  const mayDecide = can(useMe(), 'postbacks.settle')
  const client = useQueryClient()
  // After a decision, what was behind it has its place.
  const at = Math.min(place, items.length - 1)
  const item = items[at]
  const acts: readonly HoldAct[] = (mayDecide && item?.hold?.acts) || []
  const next = items[at + 1] ?? items[at - 1]

  // What waits with the same word is settled together.
  const choose = (postback: PostbackItem, act: HoldAct) =>
    ask({ postbacks: readingOfAct(act) ? withWordOf(postback, items) : [postback], act })

  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (!item || isSending || isForOthers(event)) return
    const chosen = acts[Number(event.key) - 1]
    if (chosen) choose(item, chosen)
    else if (event.key === 'j') setPlace(Math.min(at + 1, items.length - 1))
    else if (event.key === 'k') setPlace(Math.max(at - 1, 0))
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const handle = (event: KeyboardEvent) => handleKey(event)
    window.addEventListener('keydown', handle)
    return () => window.removeEventListener('keydown', handle)
  }, [])

  if (!item?.hold) return null
  return (
    <>
      <nav className={classes.steps} aria-label="Decisions">
        <Button
          variant="default"
          size="compact-sm"
          disabled={at === 0}
          onClick={() => setPlace(at - 1)}
        >
          Previous <kbd>K</kbd>
        </Button>
        <span>
          {at + 1} of {formatCount(total)}
        </span>
        <Button
          variant="default"
          size="compact-sm"
          disabled={at >= items.length - 1}
          onClick={() => setPlace(at + 1)}
        >
          Next <kbd>J</kbd>
        </Button>
      </nav>
      <article className={classes.card} aria-label={nameOf(item)}>
        <h2>{holdWords[item.hold.kind].label}</h2>
        <p className={classes.facts}>
          <strong>{item.transactionId ?? 'No order number'}</strong>
          {item.siteId !== null && <SiteLink id={item.siteId}>{item.sitename}</SiteLink>}
          <span>{item.event ?? 'no event'}</span>
          <span>held {ago(item.hold.since)}</span>
        </p>
        <p>
          <WithDays>{item.reason}</WithDays>
        </p>
        {item.hold.word && <WithWord item={item} items={items} />}
        <Decide
          key={item.id}
          item={item}
          acts={mayDecide ? acts : undefined}
          onChoose={(act) => choose(item, act)}
        />
      </article>
      {settling && (
        <SettleHeld
          key={key}
          postbacks={settling.postbacks}
          act={settling.act}
          undoable
          refresh={() => refreshQueue(client)}
          settledText={next ? `Next: ${nameOf(next)}` : 'Nothing else waits.'}
          onClosed={end}
        />
      )}
    </>
  )
}

/** How many reports one decision settles. */
function WithWord({ item, items }: { item: PostbackItem; items: readonly PostbackItem[] }) {
  const count = withWordOf(item, items).length
  return (
    <p>
      {count === 1 ? 'One report waits' : `${formatCount(count)} of the reports shown here wait`}{' '}
      with this word. What you choose settles all of them, and counts for all that come.
    </p>
  )
}

/** Those that are held for the same word of the same site. */
const withWordOf = (
  { id, siteId, hold }: PostbackItem,
  items: readonly PostbackItem[],
): PostbackItem[] =>
  items.filter(
    (one) =>
      one.id === id ||
      (one.siteId === siteId &&
        one.hold?.word?.parameter === hold?.word?.parameter &&
        one.hold?.word?.value === hold?.word?.value &&
        one.hold?.word?.event === hold?.word?.event),
  )

/** Both reports, and what can be done. Shown together: the cards would push the acts down. */
function Decide({
  item,
  acts,
  onChoose,
}: {
  item: PostbackItem
  /** Undefined for those who may not decide. */
  acts: readonly HoldAct[] | undefined
  onChoose: (act: HoldAct) => void
}) {
  const { id, hold, transactionId, clickId } = item
  const sides = useQuery(sidesQuery(id))
  // What another click's report would pay: only those who decide are told.
  const preview = useQuery({
    ...previewQuery({ ids: [id], act: 'both-count' }),
    enabled: acts !== undefined && hold?.kind === 'other-click',
  })
  if (sides.isLoading || preview.isLoading) return null
  return (
    <>
      <HeldSides id={id} wouldPay={wouldPay(preview.data?.items ?? [])} />
      {acts ? (
        <ul className={classes.acts} aria-label="Decide">
          {acts.map((one, index) => (
            <li key={one}>
              <Button
                variant={index === 0 ? 'filled' : 'default'}
                onClick={() => onChoose(one)}
                fullWidth
              >
                {actWords[one].label} <kbd>{index + 1}</kbd>
              </Button>
              <span>{actWords[one].does}</span>
            </li>
          ))}
        </ul>
      ) : (
        <WhoDecides id={id} />
      )}
      <FollowUp item={item} mayDecide={acts !== undefined} />
      <p>
        <LinkText
          to="/app/sites/postbacks"
          search={transactionId === null ? { clickId: clickId ?? undefined } : { transactionId }}
        >
          All that the merchant sent of it
        </LinkText>
      </p>
    </>
  )
}

const ago = (iso: string) => agoText(Date.parse(iso), Date.now())

/** What is typed, or a shortcut of something else. */
const isForOthers = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  (target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], [role="dialog"]') !== null)
