import { saveRange } from '../features/statistics/stats-search.ts'
import { router } from './router.tsx'

/** Keeps or resets the saved date range on every navigation. */
export const followNavigation = () =>
  router.subscribe('onResolved', ({ toLocation }) => saveRange(toLocation))
