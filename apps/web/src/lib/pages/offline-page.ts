import { WORKER } from '../trusted-html.ts'

/**
 * Installs the service worker that shows a branded page when offline. Unavailable on plain HTTP. Failures are
 * harmless, because browsers have their own offline page.
 */
export function installOfflinePage(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  window.addEventListener('load', () => {
    navigator.serviceWorker.register(WORKER).catch(() => undefined)
  })
}
