import { can } from '@tallyroom/domain/abilities'
import { IconBook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useBrand } from '../../lib/brand.ts'
import { useMe } from '../../lib/session.ts'
import { LinkText } from '../../ui/links.tsx'
import { BoardCard } from './BoardCard.tsx'
import { manualsQuery } from './dashboard.api.ts'
import classes from './HomePage.module.css'

/** How to sell: the manuals, where the brand has any and there are some. */
export function ManualsCard() {
  const me = useMe()
  const { howToSell } = useBrand().flags
  const { data: manuals = [] } = useQuery({ ...manualsQuery, enabled: howToSell })
  if (!howToSell || manuals.length === 0) return null
  return (
    <BoardCard title="How to sell">
      <ul className={classes.manuals}>
        {manuals.map(({ id, title }) => (
          <li key={id}>
            <IconBook size={15} stroke={1.6} aria-hidden />
            {can(me, 'manuals.manage') ? (
              <LinkText to="/app/site-manuals/edit/$id" params={{ id: String(id) }}>
                {title}
              </LinkText>
            ) : (
              <LinkText to="/app/how-to-sell" search={{ manual: id }}>
                {title}
              </LinkText>
            )}
          </li>
        ))}
      </ul>
    </BoardCard>
  )
}
