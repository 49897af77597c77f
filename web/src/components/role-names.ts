/** What a role is called: the built-in ones in the page's language, others as the configuration names them. */

import { t } from '@/i18n'

export function roleName(role: string): string {
  return (t.admin.roleNames as Record<string, string>)[role] ?? role
}
