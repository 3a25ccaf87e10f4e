import { loadLater } from '../lib/later.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'

const LOOK_AGAIN_MS = 100

/** What opens on a click is there before the click, but is not fetched before the first page has all it shows. */
export function loadRestWhenPainted(): void {
  const timer = setInterval(() => {
    if (router.state.status !== 'idle' || queryClient.isFetching() > 0) return
    clearInterval(timer)
    requestAnimationFrame(() => setTimeout(loadLater))
  }, LOOK_AGAIN_MS)
}
