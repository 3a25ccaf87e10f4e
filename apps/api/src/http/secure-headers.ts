import type { FastifyHelmetOptions } from '@fastify/helmet'

/**
 * The content security policy: scripts only from our own files, and of those in a page itself the ones with these hashes
 * (`'sha256-…'`). Inline styles are allowed, because the component library positions its overlays with them.
 */
export const secureHeaders = (ownScripts: readonly string[] = []): FastifyHelmetOptions => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'", ...ownScripts],
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'"],
      'connect-src': ["'self'"],
      'manifest-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
      'object-src': ["'none'"],
      // Libraries make HTML only by way of the page's own policy (apps/web/src/lib/trusted-html.ts).
      'require-trusted-types-for': ["'script'"],
      'trusted-types': ['default', 'apart', 'dompurify'],
    },
  },
  crossOriginEmbedderPolicy: false,
  referrerPolicy: { policy: 'same-origin' },
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
  xFrameOptions: { action: 'deny' },
})

/** Browsers only honour it over TLS. */
const HSTS = 'max-age=31536000'

/** The content security policy of what stands alone: it may load nothing but what `more` says, and can't be framed. */
export const barePolicy = (...more: readonly string[]): string =>
  ["default-src 'none'", ...more, "base-uri 'none'", "frame-ancestors 'none'"].join('; ')

/**
 * Headers for answers outside of helmet's scopes: redirects, postbacks, pages that stand alone, and rejections of malformed
 * HTTP. They are constants because the first two are sent thousands of times per second. Addresses of such pages may be
 * secrets, so nobody hears of them.
 */
export const bareHeaders = {
  'strict-transport-security': HSTS,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': barePolicy(),
}

/** Those of a redirect that leads a visitor on: where they go may see from which site they come, as without us. */
export const redirectHeaders = {
  ...bareHeaders,
  'referrer-policy': 'strict-origin-when-cross-origin',
}
