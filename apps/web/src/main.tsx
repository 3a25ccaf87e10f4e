import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { App } from './app/App.tsx'
import { followNavigation } from './app/follow-navigation.ts'
import { followSession } from './app/follow-session.ts'
import { printInLight } from './app/print-in-light.ts'
import { loadBrand } from './lib/brand.ts'

// zod would compile its parsers with `new Function`, which the content security policy forbids.
z.config({ jitless: true })

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

followSession()
followNavigation()
printInLight()
await loadBrand()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
