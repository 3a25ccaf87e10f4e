import { lazy, Suspense } from 'react'
import { useIsPhone } from '../lib/phone.ts'
import classes from './BottomBar.module.css'

const QuickPlaces = lazy(() => import('./QuickPlaces.tsx'))

export interface BottomBarProps {
  onFind: () => void
  onMenu: () => void
}

/** On a phone: what people do most, within reach of the thumb. */
export const BottomBar = (props: BottomBarProps) =>
  useIsPhone() && (
    <nav className={classes.bar} aria-label="Quick access">
      <Suspense>
        <QuickPlaces {...props} />
      </Suspense>
    </nav>
  )
