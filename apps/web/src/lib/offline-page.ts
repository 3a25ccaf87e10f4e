import { WORKER } from './trusted-html.ts'

/**
 * Installs the service worker that shows a page of the brand when the network is away. Missing on plain HTTP, and no
 * matter if it fails: browsers have an offline page of their own.
 */
export function installOfflinePage(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  window.addEventListener('load', () => {
    navigator.serviceWorker.register(WORKER).catch(() => undefined)
  })
}
