import { Skeleton } from '@mantine/core'
import type { Dashboard } from '@tallyroom/contract/dashboard'
import { formatDateTime } from '@tallyroom/domain/new-york'
import { lazy, Suspense } from 'react'
import { BoardCard } from './BoardCard.tsx'
import classes from './HomePage.module.css'

// What cleans HTML is not needed before there is any.
const RichText = lazy(() =>
  import('../../ui/rich-text/RichText.tsx').then(({ RichText: component }) => ({
    default: component,
  })),
)

/** The latest news, which a superadmin writes. */
export const NewsCard = ({ html, createdAt }: NonNullable<Dashboard['lastNews']>) => (
  <BoardCard
    title="Latest news"
    {...(createdAt !== null && { note: formatDateTime(new Date(createdAt)) })}
  >
    <div className={classes.prose}>
      <Suspense>
        <RichText html={html} />
      </Suspense>
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
