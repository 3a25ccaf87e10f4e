import { Menu } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { IconBookmarkPlus, IconLink, IconListDetails, IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMatches, useNavigate, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useState, type MouseEvent } from 'react'
import { toast } from '../../ui/toasts.tsx'
import { savedViewsQuery } from './saved-views.api.ts'
import { daysText, viewUrlOf } from './view-url.ts'
import { ViewsButton } from './Views.tsx'
import { useAsked } from '../../ui/use-asked.ts'

const ViewDialog = lazy(() => import('./ViewDialog.tsx'))

/**
 * Opens a saved view, saves the page on screen, or copies its link. Opens itself on its first
 * render.
 */
export default function ViewsMenu() {
  const navigate = useNavigate()
  // The library moves the focus only if it sees the menu open after it was mounted.
  const isMounted = useMounted()
  const [opened, setOpened] = useState(true)
  const { asked: url, key, ask, end } = useAsked<string>()
  const location = useRouterState({ select: (state) => state.location })
  const { title = '', keepsCriteria = false } = useMatches().at(-1)?.staticData ?? {}
  const { data } = useQuery({ ...savedViewsQuery, enabled: opened })

  const open = (to: string) => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void navigate({ href: to })
  }

  return (
    <>
      <Menu
        opened={isMounted && opened}
        onChange={setOpened}
        position="bottom-end"
        shadow="md"
        width={280}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <ViewsButton />
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
          {data && data.views.length > 0 && (
            <>
              <Menu.Label>My views</Menu.Label>
              {data.views.map((view) => (
                <Menu.Item
                  key={view.id}
                  component="a"
                  href={view.url}
                  onClick={open(view.url)}
                  rightSection={
                    view.mail && <IconMail size={14} stroke={1.6} aria-label="Mailed" />
                  }
                >
                  <div style={{ overflowWrap: 'anywhere' }}>{view.name}</div>
                  {daysText(view.url) && (
                    <div style={{ fontSize: 12, color: 'var(--mantine-color-dimmed)' }}>
                      {daysText(view.url)}
                    </div>
                  )}
                </Menu.Item>
              ))}
              <Menu.Divider />
            </>
          )}
          {keepsCriteria && (
            <Menu.Item
              leftSection={<IconBookmarkPlus size={16} stroke={1.6} aria-hidden />}
              disabled={!data}
              onClick={() => ask(viewUrlOf(location))}
            >
              Save to my views…
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconLink size={16} stroke={1.6} aria-hidden />}
            onClick={() => void copyLink(viewUrlOf(location))}
          >
            Copy link to this page
          </Menu.Item>
          <Menu.Item
            component="a"
            href="/app/views"
            leftSection={<IconListDetails size={16} stroke={1.6} aria-hidden />}
            onClick={open('/app/views')}
          >
            Manage views
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {url !== undefined && data && (
          <ViewDialog key={key} url={url} suggestion={title} mailTo={data.mailTo} onClosed={end} />
        )}
      </Suspense>
    </>
  )
}

/** Whoever opens the link sees the page within their own rights. */
export async function copyLink(url: string) {
  await navigator.clipboard.writeText(`${window.location.origin}${url}`)
  toast({
    kind: 'success',
    heading: 'Link copied',
    body: 'Colleagues who open it see what they are allowed to see.',
  })
}
