import type { Home } from '@tallyroom/contract/desk/home'
import { formatCount } from '@tallyroom/domain/money'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { Amount } from '../../ui/text/Amount.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { LinkButton, LinkText } from '../../ui/links.tsx'
import { ShareButton } from '../../ui/ShareButton.tsx'
import { BoardCard } from './BoardCard.tsx'
import { formatSales } from './home-words.ts'
import classes from './HomeOwn.module.css'

/** An agent's most used links, to copy or share at once. */
export const MyLinks = ({ links, today }: { links: NonNullable<Home['links']>; today: Day }) => (
  <BoardCard
    title="My links"
    note="Most used, 14 days"
    footer={<LinkText to="/app/links/links">All links</LinkText>}
  >
    {links.length === 0 ? (
      <div className={classes.none}>
        <p>Share a link, and each visitor who follows it counts for you.</p>
        <LinkButton to="/app/links/links" variant="default" size="xs">
          Get your links
        </LinkButton>
      </div>
    ) : (
      <ul className={classes.rows}>
        {links.map(({ siteId, typeId, sitename, typename, link, uniques, sales }) => (
          <li key={typeId}>
            <span className={classes.what}>
              <LinkText to="/app/links/links" search={{ siteId }}>
                {sitename} · {typename}
              </LinkText>
              <small>
                {formatCount(uniques)} {uniques === 1 ? 'unique' : 'uniques'} ·{' '}
                <Amount
                  of={{
                    report: 'sites',
                    column: 'sales',
                    start: addDays(today, -13),
                    end: today,
                    siteId,
                    typeId,
                  }}
                  label={`${sitename} ${typename},`}
                >
                  {formatSales(sales)}
                </Amount>
              </small>
            </span>
            <CopyButton value={link} what={`link ${sitename} ${typename}`} />
            <ShareButton url={link} what={`${sitename} ${typename}`} />
          </li>
        ))}
      </ul>
    )}
  </BoardCard>
)
