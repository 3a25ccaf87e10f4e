import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { followSession } from './app/follow-session.ts'
import { printInLight } from './app/print-in-light.ts'
import { router } from './app/router.tsx'
import { saveRange } from './figures/statistics/stats-search.ts'
import { loadBrand } from './lib/brand.ts'
import { endOpening } from './lib/first-data.ts'
import { fetchFontLater } from './lib/first-font.ts'
import { installOfflinePage } from './lib/pages/offline-page.ts'
import { steadyPresses } from './lib/steady-press.ts'
import { guardHtml } from './lib/trusted-html.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

guardHtml()
followSession()
// Keeps or resets the saved date range.
router.subscribe('onResolved', ({ toLocation }) => saveRange(toLocation))
const unsubscribe = router.subscribe('onRendered', () => {
  unsubscribe()
  endOpening()
  fetchFontLater((showFont) => {
    const unsubscribeNext = router.subscribe('onResolved', ({ pathChanged }) => {
      if (!pathChanged) return
      unsubscribeNext()
      showFont()
    })
  })
})
printInLight()
steadyPresses()
installOfflinePage()
await loadBrand()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
