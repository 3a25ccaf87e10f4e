import { Button, type ButtonProps } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { lazy, Suspense, useState, type ComponentProps } from 'react'
import classes from './Views.module.css'

const ViewsMenu = lazy(() => import('./ViewsMenu.tsx'))

/** The menu of saved views in the header of every page. Loaded when it is first opened. */
export function Views() {
  const [isWanted, setWanted] = useState(false)
  const button = <ViewsButton onClick={() => setWanted(true)} />
  return <Suspense fallback={button}>{isWanted ? <ViewsMenu /> : button}</Suspense>
}

/** On a phone, only the icon. */
export const ViewsButton = ({
  className = '',
  ...props
}: ButtonProps & ComponentProps<'button'>) => (
  <Button
    variant="subtle"
    color="gray"
    size="compact-md"
    fw={500}
    // The menu adds its own class.
    className={`${classes.button} ${className}`}
    aria-label="Views"
    aria-haspopup="menu"
    leftSection={<IconBookmark size={17} stroke={1.6} />}
    {...props}
  >
    Views
  </Button>
)
