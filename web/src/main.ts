import "virtual:colours.css";
import "./styles/design.css";
import "./styles/forms.css";
import "./styles/shell.css";
import "./shell";
import { applyTheme } from "./theme";

applyTheme();
