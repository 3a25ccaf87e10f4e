import { UNCOUNTED_WORDS } from '@tallyroom/contract/desk/click-logs'
import { type Home, type SetupStep, setupSteps } from '@tallyroom/contract/desk/home'
import { Button } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { FROM_CHECKLIST } from '../../ui/list/back-to-list.ts'
import { LinkButton } from '../../ui/links.tsx'
import { BoardCard } from './BoardCard.tsx'
import { ChecklistStep } from './ChecklistStep.tsx'
import { wasSetUpHere } from './SetupDone.tsx'
import classes from './SetupChecklist.module.css'

type Setup = NonNullable<Home['setup']>

/** Leads a new network from its first site to its first visitor. Each step returns here. */
export function SetupChecklist({ setup }: { setup: Setup }) {
  const isDone = (step: SetupStep) => setup.done.includes(step)
  const needed = setupSteps.filter((step) => step !== OPTIONAL)
  const next = needed.find((step) => !isDone(step))
  useEffect(() => wasSetUpHere.set(true), [])
  return (
    <BoardCard
      title="Set up your network"
      note={`${needed.filter(isDone).length} of ${needed.length} done`}
    >
      <ol className={classes.steps}>
        {setupSteps.map((step, index) => (
          <ChecklistStep
            key={step}
            {...words[step]}
            index={index}
            isDone={isDone(step)}
            isNext={step === next}
            note={
              sawOf(step, setup) && (
                <span role="status" className={classes.saw}>
                  {sawOf(step, setup)}
                </span>
              )
            }
            button={
              <StepButton
                step={step}
                setup={setup}
                variant={step === next ? 'filled' : 'default'}
              />
            }
          />
        ))}
      </ol>
    </BoardCard>
  )
}

/** What has arrived for a step and did not count. */
function sawOf(step: SetupStep, { uncounted, failed }: Setup): string | null {
  if (step === 'click' && uncounted) {
    const arrived = uncounted.clicks === 1 ? '1 click' : `${uncounted.clicks} clicks`
    const were = uncounted.clicks === 1 ? 'was not counted' : 'were not counted, the newest'
    return `${arrived} arrived and ${were}: ${UNCOUNTED_WORDS[uncounted.because]}.`
  }
  if (step === 'postback' && failed) {
    const arrived = failed.postbacks === 1 ? '1 postback' : `${failed.postbacks} postbacks`
    return `${arrived} arrived and did not count${failed.reason === null ? '.' : `: ${failed.reason}`}`
  }
  return null
}

/** Links also work on the server's own address. */
const OPTIONAL: SetupStep = 'domain'

const words: Record<SetupStep, { title: string; why: string }> = {
  site: { title: 'Add a site', why: 'A merchant’s shop or service that pays for new customers.' },
  type: {
    title: 'Add a link type',
    why: 'What the site sells, where its visitors land, and what a sale pays.',
  },
  office: { title: 'Add an office', why: 'A company of agents. It may sell every site at first.' },
  agent: { title: 'Add an agent', why: 'The person who shares links. Each belongs to one office.' },
  approval: {
    title: 'Approve the agent',
    why: 'From then on their links work, and they can sign in.',
  },
  domain: {
    title: 'Add a domain (optional)',
    why: 'The host name of your links. Without one they use this server’s address.',
  },
  postback: {
    title: 'Send a test postback',
    why: 'How the merchant reports a sale. Tests are not counted.',
  },
  click: {
    title: 'Follow your first link',
    why: 'Opens the link as a visitor would. It counts as your first click.',
  },
}

interface StepButtonProps {
  step: SetupStep
  setup: Setup
  variant: 'filled' | 'default'
}

function StepButton({ step, setup: { siteId, link, done }, variant }: StepButtonProps) {
  const look = { variant, size: 'xs', state: FROM_CHECKLIST } as const
  const waiting = (label: string): ReactNode => (
    <Button variant="default" size="xs" disabled>
      {label}
    </Button>
  )
  switch (step) {
    case 'site':
      return (
        <LinkButton to="/app/sites/create" {...look}>
          Add site
        </LinkButton>
      )
    case 'type':
      return siteId === null ? (
        waiting('Add link type')
      ) : (
        <LinkButton
          to="/app/sites/$siteId/types/create"
          params={{ siteId: String(siteId) }}
          {...look}
        >
          Add link type
        </LinkButton>
      )
    case 'office':
      return (
        <LinkButton to="/app/offices/create" {...look}>
          Add office
        </LinkButton>
      )
    case 'agent':
      return done.includes('office') ? (
        <LinkButton to="/app/agents/create" {...look}>
          Add agent
        </LinkButton>
      ) : (
        waiting('Add agent')
      )
    case 'approval':
      return done.includes('agent') ? (
        <LinkButton to="/app/unapprove" {...look}>
          Approve
        </LinkButton>
      ) : (
        waiting('Approve')
      )
    case 'domain':
      return (
        <LinkButton to="/app/offices/domains/create" {...look}>
          Add domain
        </LinkButton>
      )
    case 'postback':
      return siteId === null || !done.includes('type') ? (
        waiting('Send a test')
      ) : (
        <LinkButton to="/app/sites/postbacks" search={{ siteId, integration: true }} {...look}>
          Send a test
        </LinkButton>
      )
    case 'click':
      return link === null ? (
        waiting('Open the link')
      ) : (
        <Button
          component="a"
          href={link}
          target="_blank"
          rel="noreferrer"
          variant={variant}
          size="xs"
        >
          Open the link
        </Button>
      )
  }
}
