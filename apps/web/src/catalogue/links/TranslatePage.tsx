import { Box, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { shortLinksEndpoints } from '@tallyroom/contract/catalogue/short-links'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import { shortNamesIn } from '@tallyroom/domain/short-link'
import { parseTrackedLink, type TrackedLink } from '@tallyroom/domain/tracked-link'
import { useQueries, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { isApiError } from '../../lib/api-error.ts'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { useDraft } from '../../ui/filters/use-draft.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { carriedText, linkAgentQuery, linkSiteQuery, namedLinkQuery } from './links.api.ts'
import { LONGEST_IN_URL } from './links-search.ts'
import classes from './TranslatePage.module.css'

const route = getRouteApi('/app/links/links-translate')

/** Enough for any text with a link in it. */
const LONGEST_TEXT = 20_000

/** Finds a tracked link in any text, and shows its agent and site. */
export function TranslatePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [{ link: text = '' }, change] = useDraft(search)
  const [settled] = useDebouncedValue(text, 200)
  const tracked = parseTrackedLink(settled)
  const names = tracked ? [] : shortNamesIn(settled)
  const asked = useQueries({ queries: names.map(namedLinkQuery) })
  const short = asked.find(({ data }) => data)?.data
  const link = tracked ?? short
  useEffect(() => {
    const isInUrl = settled === (search.link ?? '')
    // Skip while the user types, and after Back, which has changed the field.
    if (settled !== text || isInUrl || settled.length > LONGEST_IN_URL) return
    void navigate({ search: { link: settled || undefined }, replace: true })
  }, [settled, text, search.link, navigate])
  return (
    <Box maw={1120}>
      <FormSection
        title="Whose is it?"
        about="Finds the agent and site of any tracked link or short link. Looking it up does not count as a click."
      >
        <WholeRow>
          <Stack gap="lg">
            <TextInput
              label="Link"
              placeholder="Paste a link, or text that contains one"
              data-autofocus
              autoComplete="off"
              spellCheck={false}
              maxLength={LONGEST_TEXT}
              value={text}
              onChange={({ currentTarget }) => change({ link: currentTarget.value })}
              error={settled.trim() && !link && problemOf(names, asked)}
            />
            {link && <Translation link={link} short={short} />}
          </Stack>
        </WholeRow>
      </FormSection>
    </Box>
  )
}

/** Why a text is no link; undefined while a name is looked up. */
function problemOf(
  names: readonly string[],
  asked: readonly { error: Error | null }[],
): string | undefined {
  const [name, ...others] = names
  if (name === undefined) return 'This text contains no tracked link'
  const errors = asked.flatMap(({ error }) => error ?? [])
  if (errors.length < names.length) return undefined
  const failed = errors.find((error) => !isApiError(error, 'NOT_FOUND'))
  if (failed) return failed.message
  return others.length === 0
    ? `There is no short link “${name}”`
    : `None of these is a short link: ${names.join(', ')}`
}

type Short = AnswerOf<typeof shortLinksEndpoints.namedShortLink>

interface TranslationProps {
  link: Pick<TrackedLink, 'siteId' | 'agentId'>
  /** If it is a short link. */
  short: Short | undefined
}

function Translation({ link: { siteId, agentId }, short }: TranslationProps) {
  const agents = useQuery(linkAgentQuery(agentId))
  const site = useQuery(linkSiteQuery(siteId))
  const agent = agents.data && (agents.data.items[0] ?? 'missing')
  return (
    <dl className={classes.facts} aria-live="polite" aria-label="The link">
      {short && <Fact label="Short Link">{shortText(short)}</Fact>}
      {short && <Fact label="Link Type">{short.typename}</Fact>}
      <Fact label="Site ID">{siteId}</Fact>
      <Fact label="Agent Id">{agentId}</Fact>
      <Fact label="Office Name">{of(agent, agents.error, ({ officeName }) => officeName)}</Fact>
      <Fact label="Agent Name">{of(agent, agents.error, ({ username }) => username)}</Fact>
      <Fact label="Agent Email">{of(agent, agents.error, ({ email }) => email ?? '—')}</Fact>
      <Fact label="Site Name">{of(site.data, site.error, ({ sitename }) => sitename)}</Fact>
      <Fact label="Site Url">
        {of(site.data, site.error, ({ url }) => (
          <span className={classes.url}>
            {url}
            <CopyButton value={url} what="address" />
          </span>
        ))}
      </Fact>
    </dl>
  )
}

/** `maria-shop, with sub1 flyer`, and whether it leads nowhere any more. */
const shortText = ({ name, deletedAt, ...carries }: Short): string =>
  [name, carriedText(carries), deletedAt && 'deleted: it leads nowhere'].filter(Boolean).join(', ')

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

/** The fact, or the reason why it is missing. */
function of<Found extends object>(
  found: Found | 'missing' | undefined,
  error: Error | null,
  show: (found: Found) => ReactNode,
): ReactNode {
  if (found === 'missing' || isApiError(error, 'NOT_FOUND')) return 'Not found'
  if (found) return show(found)
  return error ? error.message : '…'
}
