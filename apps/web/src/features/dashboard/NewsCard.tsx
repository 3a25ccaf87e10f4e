import { Skeleton } from '@mantine/core'
import type { Dashboard } from '@tallyroom/contract/dashboard'
import { formatDateTime } from '@tallyroom/domain/new-york'
import { LaterRichText } from '../../ui/rich-text/LaterRichText.tsx'
import { BoardCard } from './BoardCard.tsx'
import classes from './HomePage.module.css'

/** The latest news, which a superadmin writes. */
export const NewsCard = ({ html, createdAt }: NonNullable<Dashboard['lastNews']>) => (
  <BoardCard
    title="Latest news"
    {...(createdAt !== null && { note: formatDateTime(new Date(createdAt)) })}
  >
    <div className={classes.prose}>
      <LaterRichText html={html} />
    </div>
  </BoardCard>
)

/** As high as news mostly are, so that the boards below stay where they are. */
export const NewsSkeleton = () => (
  <BoardCard title="Latest news">
    <div className={classes.prose}>
      <Skeleton height={16} width={190} mt={8} mb={18} />
      <Skeleton height={11} width="92%" mb={12} />
      <Skeleton height={11} width="64%" />
    </div>
  </BoardCard>
)
