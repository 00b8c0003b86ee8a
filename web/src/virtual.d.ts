declare module "virtual:colours.css";
