import { provideVocabulary } from '../src/app/vocabulary.ts';

provideVocabulary();
