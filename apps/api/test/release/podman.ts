import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './releases.ts'

/** Debian's own tools, which build and run containers without a daemon. */
const packages = { buildah: 'buildah', podman: 'podman', crun: 'crun', debootstrap: 'debootstrap' }

/** Why no container can be made here, or undefined. */
export function whyNoContainers(): string | undefined {
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version')) return 'not on Debian'
  if (process.getuid?.() !== 0) return 'only root makes containers here'
  return undefined
}

/** Installs what is missing. */
export function installContainerTools(): void {
  const missing = Object.entries(packages)
    .filter(([program]) => run('sh', ['-c', `command -v ${program} || true`]) === '')
    .map(([, name]) => name)
  if (missing.length === 0) return
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  run('apt-get', ['-qq', 'update'], { env })
  run('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', ...missing], { env })
}

export type Containers = ReturnType<typeof containersIn>

/** Images and containers of a test, in a folder that can be deleted. */
export function containersIn(home: string) {
  const store = [
    `--root=${join(home, 'store')}`,
    `--runroot=${join(home, 'run')}`,
    '--storage-driver=overlay',
  ]
  const podman = ['podman', ...store, '--cgroup-manager=cgroupfs', '--events-backend=file']

  /** crun refuses machines with both versions of cgroups, so it doesn't see the second one. */
  const inNamespace = (args: string[]) =>
    run('unshare', [
      '--mount',
      'sh',
      '-c',
      'umount /sys/fs/cgroup/unified 2> /dev/null; exec "$@"',
      'sh',
      ...podman,
      ...args,
    ])

  return {
    /** An image of this machine's Debian, as the slim images of registries are. */
    makeBase(): string {
      const folder = join(home, 'base')
      const release = readFileSync('/etc/os-release', 'utf8')
      const suite = /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1] ?? 'stable'
      run('debootstrap', ['--variant=minbase', suite, folder])
      run('sh', [
        '-c',
        'tar -C "$0" -c . | "$@"',
        folder,
        ...podman,
        'import',
        '-',
        'localhost/base',
      ])
      return 'localhost/base'
    },

    build(context: string, base: string, archive: string, tag: string): void {
      run(
        'buildah',
        [
          ...store,
          'build',
          '--isolation=chroot',
          '--format=docker',
          `--build-arg=BASE=${base}`,
          `--build-arg=RELEASE=${archive}`,
          `--tag=${tag}`,
          '.',
        ],
        { cwd: context },
      )
    },

    /** Another image with what `image` has, as a next release is. */
    derive(image: string, tag: string): void {
      const made = run('buildah', [...store, 'from', '--pull-never', image]).trim()
      run('buildah', [...store, 'config', '--label=next=yes', made])
      run('buildah', [...store, 'commit', '--format=docker', '--quiet', made, tag])
    },

    /** As compose.yaml runs it: read-only, without privileges. @param data the folder for DATA_DIR, made as a volume is */
    start(image: string, name: string, data: string, env: Record<string, string>): void {
      if (!existsSync(data)) {
        mkdirSync(data)
        run('chown', ['10001:10001', data])
      }
      inNamespace([
        'run',
        '--detach',
        `--name=${name}`,
        '--runtime=crun',
        '--cgroups=disabled',
        '--network=host',
        '--read-only',
        '--tmpfs=/tmp',
        '--cap-drop=all',
        '--security-opt=no-new-privileges',
        '--ulimit=nofile=1024:1024',
        '--ulimit=nproc=1024:1024',
        // Its timer would be systemd's: these tests ask themselves.
        '--health-cmd=none',
        `--volume=${data}:/var/lib/tallyroom`,
        ...Object.entries(env).map(([variable, value]) => `--env=${variable}=${value}`),
        image,
      ])
    },

    exec: (name: string, ...command: string[]): string => inNamespace(['exec', name, ...command]),
    inspect: (what: string, format: string): string =>
      run('podman', [...podman.slice(1), 'inspect', `--format=${format}`, what]).trim(),
    logs: (name: string): string => run('podman', [...podman.slice(1), 'logs', name]),
    kill: (name: string): string => inNamespace(['kill', '--signal=KILL', name]),
    stop: (name: string): string => inNamespace(['stop', '--time=60', name]),
    again: (name: string): string => inNamespace(['start', name]),
    remove: (name: string): string => inNamespace(['rm', '--force', name]),
  }
}
