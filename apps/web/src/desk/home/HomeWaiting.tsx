import { Skeleton } from '@mantine/core'
import { isAtLeast, type Role } from '@tallyroom/domain/roles'
import { Tile } from '../../ui/Tile.tsx'
import { BoardCard } from './BoardCard.tsx'
import classes from './HomeOwn.module.css'

/** What a role's Home begins with. */
type Shape = { tiles: readonly string[]; cards: readonly string[] }

const STAFF: Shape = {
  tiles: ['Today', 'This half-month', 'Last half-month', 'AVP this week'],
  cards: ['Needs you', 'Today by site', 'Latest sales'],
}

const PAID = ['Earned so far', 'Next payment', 'Today', 'Last half-month']

const SHAPES: Partial<Record<Role, Shape>> = {
  agent: { tiles: PAID, cards: ['Your AVP week', 'Latest sales', 'My links'] },
  company: {
    tiles: [...PAID, 'AVP this week'],
    cards: ['Close to the next AVP tier', 'Latest sales'],
  },
}

/** Where what waits for staff stands. */
export type NeedsPlace = 'first' | 'line' | 'card'

interface WaitingProps {
  role: Role
  needs: NeedsPlace
}

/** The viewer's own figures before they arrive, in the shape of what their role will see, so that nothing below them jumps. */
export function WaitingOwn({ role, needs }: WaitingProps) {
  const { tiles, cards } = shapeOf(role)
  const [first] = isAtLeast(role, 'admin') ? cards : []
  return (
    <>
      {needs === 'first' && first && <WaitingCard title={first} />}
      <section
        className={classes.tiles}
        data-pay={tiles.includes('Next payment') || undefined}
        aria-label="Figures"
        aria-busy
      >
        {tiles.map((label) => (
          <Tile key={label} to="/app/stats/sites" label={label} value={undefined} note=" " />
        ))}
      </section>
      {needs === 'line' && first && (
        <BoardCard title={first}>
          <div className={classes.lineWaiting} />
        </BoardCard>
      )}
    </>
  )
}

/** The cards before they arrive. */
export function WaitingCards({ role, needs }: WaitingProps) {
  const { cards } = shapeOf(role)
  const isApart = needs !== 'card' && isAtLeast(role, 'admin')
  return (
    <div className={classes.cards}>
      {(isApart ? cards.slice(1) : cards).map((title) => (
        <WaitingCard key={title} title={title} />
      ))}
    </div>
  )
}

const shapeOf = (role: Role): Shape => SHAPES[role] ?? STAFF

const WaitingCard = ({ title }: { title: string }) => (
  <BoardCard title={title}>
    <ul className={classes.rows} aria-hidden>
      {Array.from({ length: WAITING_ROWS }, (_, row) => (
        <li key={row} className={classes.waiting}>
          <Skeleton height={10} width={`${44 + ((row * 17) % 26)}%`} />
        </li>
      ))}
    </ul>
  </BoardCard>
)

/** As many as fill the first screen. */
const WAITING_ROWS = 11
