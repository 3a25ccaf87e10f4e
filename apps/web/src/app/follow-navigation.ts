import { saveRange } from '../features/statistics/saved-range.ts'
import { router } from './router.tsx'

/** What is remembered, or forgotten, from page to page. */
export const followNavigation = () =>
  router.subscribe('onResolved', ({ toLocation }) => saveRange(toLocation))
