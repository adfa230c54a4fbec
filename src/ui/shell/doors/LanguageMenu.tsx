/** The languages of the page, on every screen: in the bar of the doors, on a phone at the thumb. */
import { useStore } from 'zustand';
import { LANGUAGES } from '#text/languages.ts';
import { t } from '#text/text.ts';
import { Icon } from '#ui/kit/Icon.tsx';
import { chooseLanguage, languageStore } from '#ui/kit/language.ts';
import { Popover } from '#ui/kit/Popover.tsx';
import styles from './Doors.module.css';

export function LanguageMenu({ phone }: { readonly phone: boolean }) {
  const shown = useStore(languageStore, ({ language }) => language);
  const name = t('Language of this page');
  const trigger = (
    <>
      <Icon name="language" size={phone ? 20 : 16} />
      {phone && <span>{shown.name}</span>}
    </>
  );
  return (
    <Popover align="end" width={230} look={phone ? 'door' : 'bare'} label={name} title={name} trigger={trigger}>
      {(close) => (
        <div className={styles.languages}>
          {LANGUAGES.map((language) => (
            <button
              key={language.id}
              type="button"
              lang={language.id}
              aria-pressed={language === shown}
              onClick={() => {
                close();
                void chooseLanguage(language);
              }}
            >
              {language.name}
            </button>
          ))}
          <p>{t('Still in English: most settings, reasons within teams and networks, making lessons, research.')}</p>
        </div>
      )}
    </Popover>
  );
}
