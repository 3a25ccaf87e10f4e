import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useIsSmall } from '../../lib/phone.ts'
import { type ColumnChoice, ColumnMenu } from './ColumnMenu.tsx'
import { useAsked } from '../use-asked.ts'

const ActionSheet = lazy(() => import('./ActionSheet.tsx'))

interface PageActionsProps {
  children: ReactNode
  /** The columns to show or hide, if the page lets the user choose. */
  columns?: ColumnChoice
}

/** The actions for a list as a whole: buttons in a row, or a single menu in a small window. */
export function PageActions({ children, columns }: PageActionsProps) {
  const isSmall = useIsSmall()
  const actions = useAsked<true>()
  if (!isSmall) {
    return (
      <>
        {children}
        {columns && <ColumnMenu {...columns} />}
      </>
    )
  }
  return (
    <>
      <ActionIcon
        variant="default"
        size={36}
        radius="xl"
        aria-label="Page actions"
        aria-haspopup="dialog"
        onClick={() => actions.ask(true)}
      >
        <IconDots size={18} />
      </ActionIcon>
      <Suspense>
        {actions.asked && (
          <ActionSheet key={actions.key} columns={columns} onClosed={actions.end}>
            {children}
          </ActionSheet>
        )}
      </Suspense>
    </>
  )
}
