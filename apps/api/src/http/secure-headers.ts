import type { FastifyHelmetOptions } from '@fastify/helmet'

/**
 * What a browser may do with our answers: scripts from here alone, none inline. Styles may be inline,
 * because the component library positions its overlays with them.
 */
export const secureHeaders: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'"],
      'connect-src': ["'self'"],
      'manifest-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
      'object-src': ["'none'"],
    },
  },
  crossOriginEmbedderPolicy: false,
  referrerPolicy: { policy: 'same-origin' },
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
  xFrameOptions: { action: 'deny' },
}

/** Browsers heed it behind TLS alone. */
const HSTS = 'max-age=31536000'

/**
 * For what helmet does not reach: redirects, postbacks, and refusals of malformed HTTP. Constants, because the first
 * two are answered thousands of times a second. None is a page: it loads nothing, and nobody may frame it.
 */
export const bareHeaders = {
  'strict-transport-security': HSTS,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
}
