import { brandOf } from '@tallyroom/domain/brands/index'
import { topicLabels, TOPICS } from '@tallyroom/domain/facts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inTransaction } from '../../db/transaction.ts'
import { bareHeaders, barePolicy } from '../../http/secure-headers.ts'
import { escapeHtml } from '../../people/index.ts'
import type { Services } from '../../services.ts'
import { findChoices, saveChoice } from './choices.queries.ts'
import { readUnsubscribe, type Unsubscribed } from './unsubscribe-link.ts'

type UnsubscribeServices = Pick<Services, 'config' | 'db' | 'secret' | 'formerSecrets'>
type Asked = FastifyRequest<{ Params: { token: string } }>

/**
 * `GET` and `POST /api/unsubscribe/{token}`. Register it in a separate scope: mail programs post a form, whatever it has is
 * ignored. Only the POST changes something, because programs that look for viruses open every link.
 */
export function registerUnsubscribe(app: FastifyInstance, services: UnsubscribeServices): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 16_384 }, (_request, _body, done) =>
    done(null),
  )
  app.get('/api/unsubscribe/:token', { exposeHeadRoute: false }, async (request: Asked, reply) => {
    const asked = readUnsubscribe(services, request.params.token)
    if (!asked) return sendPage(services, reply, unknown)
    return sendPage(services, reply, {
      status: 200,
      title: `Stop mails: ${labelOf(asked)}?`,
      html: '<form method="post"><button>Unsubscribe</button></form>',
    })
  })
  app.post('/api/unsubscribe/:token', async (request: Asked, reply) => {
    const asked = readUnsubscribe(services, request.params.token)
    if (!asked) return sendPage(services, reply, unknown)
    await unsubscribe(services, asked)
    return sendPage(services, reply, {
      status: 200,
      title: 'You are unsubscribed',
      html: `<p>You get no more of these mails: ${escapeHtml(labelOf(asked))}. Your profile can switch them on again.</p>`,
    })
  })
}

async function unsubscribe(
  { db }: UnsubscribeServices,
  { accountId, of }: Unsubscribed,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const chosen = of === 'digest' ? await findChoices(tx, accountId) : undefined
    const topics = chosen ? TOPICS.filter((topic) => chosen.get(topic) === 'digest') : [of]
    for (const topic of topics) {
      if (topic !== 'digest') await saveChoice(tx, { accountId, topic, choice: 'off' }, tx.now)
    }
  })
}

const labelOf = ({ of }: Unsubscribed): string =>
  of === 'digest' ? 'the daily digest' : topicLabels[of]

type Page = { status: number; title: string; html: string }

const unknown: Page = {
  status: 404,
  title: 'This link is not complete',
  html: '<p>Copy the whole address from the mail, or change what you hear of in your profile.</p>',
}

const POLICY = barePolicy("style-src 'unsafe-inline'", "form-action 'self'")

function sendPage(
  { config }: Pick<UnsubscribeServices, 'config'>,
  reply: FastifyReply,
  { status, title, html }: Page,
): FastifyReply {
  const { name, palette } = brandOf(config.brand)
  const color = palette.shades[palette.primaryShade.light]
  return reply
    .code(status)
    .headers(bareHeaders)
    .header('cache-control', 'no-store')
    .header('content-security-policy', POLICY)
    .type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · ${escapeHtml(name)}</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1rem/1.6 system-ui, sans-serif }
main { padding: 2rem; max-width: 30rem; text-align: center }
h1 { margin: 0 0 1rem; font-size: 1.4rem; line-height: 1.3 }
button { padding: .6rem 1.4rem; border: 0; border-radius: 6px; background: ${color}; color: #fff; font: inherit; cursor: pointer }
</style>
</head>
<body>
<main>
<p>${escapeHtml(name)}</p>
<h1>${escapeHtml(title)}</h1>
${html}
</main>
</body>
</html>
`)
}
